"""Jobs on several processes or machines: the parts that they read, and what Ray and Dask do with them."""
