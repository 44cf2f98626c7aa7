//! The agents from outside: whole pages for realistic briefs, and what must hold for every brief.

mod briefs;
mod every_brief;
mod models;
mod pages;
