#!/usr/bin/env python3
"""Prints what programs compiled with Heron's headers rely on, a line each: the symbols of heron that the shared
library exports, and size, members and values of the types in its public headers. A line that changes or is removed breaks such programs.

    abi.py ABIDW_XML
"""
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

NAMES = {"class-decl", "union-decl", "enum-decl", "typedef-decl", "type-decl"}


class Abi:
    def __init__(self, root):
        self.types = {}    # id -> (element, the namespaces and classes around it)
        self.lines = []
        for part in root.iter("abi-instr"):
            self.collect(part, "")
        # abidw takes a codec's header for a public one of the same name; types of codecs have namespaces of their own.
        public = {around + element.get("name", ""): element for element, around in self.types.values()
                  if around.startswith("heron::") and not re.match("heron::v0::[a-z]", around) and element.tag in ("class-decl", "union-decl", "enum-decl")
                  and element.get("is-declaration-only") != "yes"}
        for name in sorted(public):
            self.describe(public[name], name)

    def collect(self, element, around):
        for child in element:
            inside = around
            if child.tag in ("namespace-decl", "class-decl", "union-decl"):
                inside = around + child.get("name", "") + "::"
            known = self.types.get(child.get("id"))
            if child.get("id") and (known is None or known[0].get("is-declaration-only") == "yes"):
                self.types[child.get("id")] = (child, around)
            self.collect(child, inside)

    def name(self, identifier):
        element, around = self.types[identifier]
        tag = element.tag
        if tag == "pointer-type-def":
            return self.name(element.get("type-id")) + "*"
        if tag == "reference-type-def":
            return self.name(element.get("type-id")) + ("&" if element.get("kind") == "lvalue" else "&&")
        if tag == "qualified-type-def":
            return self.name(element.get("type-id")) + (" const" if element.get("const") == "yes" else " volatile")
        if tag == "array-type-def":
            return self.name(element.get("type-id")) + "".join(f"[{some.get('length')}]" for some in element)
        return around + element.get("name", "a function") if tag in NAMES else tag

    def describe(self, element, name):
        if element.tag == "enum-decl":
            for value in element.iter("enumerator"):
                self.lines.append(f"{name}::{value.get('name')} = {value.get('value')}")
            return
        self.lines.append(f"{name}: {int(element.get('size-in-bits', 0)) / 8:g} bytes")
        for base in element.findall("base-class"):
            self.lines.append(f"{name}: at {int(base.get('layout-offset-in-bits', 0)) / 8:g}: a {self.name(base.get('type-id'))}")
        for member in element.findall("data-member"):
            variable = member.find("var-decl")
            if member.get("static") != "yes":
                offset = int(member.get("layout-offset-in-bits", 0)) / 8
                self.lines.append(f"{name}: at {offset:g}: {variable.get('name')}, {self.name(variable.get('type-id'))}")
        for member in element.findall("member-function"):
            if member.get("vtable-offset") not in (None, "-1"):
                self.lines.append(f"{name}: virtual {member.get('vtable-offset')}: {member.find('function-decl').get('name')}")


def main():
    root = ElementTree.parse(sys.argv[1]).getroot()
    symbols = [symbol.get("name") for symbol in root.iter("elf-symbol")]
    ours = [name for name in symbols if name.lstrip("_ZTVSIKNr").startswith("5heron")]
    names = subprocess.run(["c++filt"], input="\n".join(ours), capture_output=True, text=True, check=True).stdout
    # Constructors and destructors have several symbols of one name. No program calls what a header only declares.
    exported = sorted(name for name in set(names.splitlines()) if not re.search(r"::(Impl|Parts)::|\{lambda", name))
    print("\n".join(Abi(root).lines + ["exports " + name for name in exported]))


if __name__ == "__main__":
    main()
