// Tables with computed columns: the columns of another table, followed by expressions of these.
// Rows and their numbers, blocks, groups, key, zones and files are those of the other table.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "expression/functions/linear.h"
#include "heron/expression.h"
#include "heron/table.h"

namespace heron::inline v0 {

// Returns the columns of a table by name or, if no column has the name, by expression: `price * 1.2
// as gross`. With computed columns, the projection belongs to a table that extends `table`. Throws
// what Projection and Predicate throw.
Projection projection_of(const std::shared_ptr<const Table>& table,
                         std::span<const std::string> names);

// Returns the form of an expression of a table's columns, if it has one of an integer column.
// Throws what with_columns() throws.
std::optional<LinearForm> linear_form(const Table& table, std::string_view text);

// Returns whether the text can only be the name of a column.
bool is_word(std::string_view text) noexcept;

// Returns whether both tables differ only in computed columns.
bool have_same_rows(const Table& a, const Table& b) noexcept;

}  // namespace heron::inline v0
