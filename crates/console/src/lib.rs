//! The console: screens on which people do what programs do over the API.
//!
//! A screen is drawn on the server, from answers of the API, and works without anything that has to be built.
