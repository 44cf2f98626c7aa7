//! Memory in small pages.
//!
//! The allocator gives each thread memory of its own and asks the system for huge pages, where it may have them: two megabytes for
//! every thread that needs a few kilobytes. Without them an idle server on PostgreSQL holds a third less. Only Linux
//! has them like that.

/// Keeps this process from huge pages; for the first line of `main`, before there are threads.
pub fn only() {
    // A system that does not know them gives none.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}
