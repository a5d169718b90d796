// What main.cpp runs, each in its own file.
#pragma once

namespace milton::tests {

void test_search();
void test_alphabeta();
void test_selfplay();
void test_match();
void test_trainer();

}  // namespace milton::tests
