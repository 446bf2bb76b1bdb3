//! Access to regular files and devices.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// Checks that the path is a regular file and not a folder, pipe or device.
///
/// # Errors
///
/// When it does not exist, cannot be inspected, or is of another kind.
pub fn check_regular(path: &Path) -> io::Result<()> {
    let found = fs::metadata(path)?;
    if found.is_file() {
        return Ok(());
    }
    let message = format!("it is {}, not a file", kind(&found));
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

/// Opens a regular file for reading.
///
/// # Errors
///
/// When it does not exist, is not a regular file, or cannot be read.
pub fn open(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// Reads a regular file of at most `bytes_max` bytes.
///
/// # Errors
///
/// When it does not exist, is larger, is not a regular file, or cannot be read.
pub fn read(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let too_large = || {
        let message = format!("it has more than {bytes_max} bytes");
        Err(io::Error::new(io::ErrorKind::FileTooLarge, message))
    };
    let file = open(path)?;
    if file.metadata()?.len() > bytes_max {
        return too_large();
    }
    // The file may grow meanwhile, and some files report a length of 0.
    let mut bytes = Vec::new();
    file.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max { too_large() } else { Ok(bytes) }
}

/// Opens a pipe or a device for writing. The open fails at once if no program reads from the pipe:
/// otherwise the first write might wait for ever.
///
/// # Errors
///
/// When it cannot be written, or no program reads from the pipe.
pub fn open_device(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::{Mode, OFlags, fcntl_setfl};
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = rustix::fs::open(path, flags, Mode::empty());
        let file = opened.map_err(|error| match error {
            rustix::io::Errno::NXIO => {
                io::Error::new(io::ErrorKind::BrokenPipe, "no program reads from this pipe")
            }
            error => error.into(),
        })?;
        fcntl_setfl(&file, OFlags::empty())?;
        Ok(file.into())
    }
    #[cfg(not(unix))]
    fs::OpenOptions::new().write(true).open(path)
}

/// Kind of a path that is not a regular file.
fn kind(found: &Metadata) -> &'static str {
    if found.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.file_type().is_fifo() {
            return "a pipe";
        }
        if found.file_type().is_socket() {
            return "a socket";
        }
    }
    "a device"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_their_bound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert_eq!(read(&path, 4).unwrap_err().to_string(), "it has more than 4 bytes");
        let error = read(folder.path(), 5).unwrap_err();
        assert_eq!(error.to_string(), "it is a folder, not a file");
        assert_eq!(open(&folder.path().join("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_without_a_reader_is_not_waited_for() {
        use std::io::Write;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let error = open_device(&path).unwrap_err();
        assert_eq!(error.to_string(), "no program reads from this pipe");
        // Writes more than a pipe holds, to a slow reader.
        let read = std::thread::scope(|scope| {
            let reader = scope.spawn(|| fs::read(&path).unwrap());
            let mut pipe = loop {
                match open_device(&path) {
                    Ok(pipe) => break pipe,
                    Err(_) => std::thread::yield_now(),
                }
            };
            pipe.write_all(&[7; 300_000]).unwrap();
            drop(pipe);
            reader.join().unwrap()
        });
        assert_eq!(read.len(), 300_000);
    }

    #[cfg(unix)]
    #[test]
    fn what_may_have_no_end_is_not_read() {
        let error = open(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.to_string(), "it is a device, not a file");
    }
}
