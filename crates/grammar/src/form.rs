//! Forms: names with their parameters.

use treegauge_core::{Argument, Call, CallError};

use crate::{Args, Error, Parameter, Role, Values, nearest};

/// Name with its parameters: one entry of a table of games, players, evaluators or tests.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Canonical name.
    pub name: &'static str,
    /// Other names with the same meaning.
    pub aliases: &'static [&'static str],
    /// Description in one line.
    pub summary: &'static str,
    /// Parameters of this form alone.
    pub parameters: &'static [Parameter],
    /// Parameters that every form of the table has. They follow the form's own.
    pub common: &'static [Parameter],
    /// Short names that set several parameters to one value: each with the names of its parameters.
    pub short: &'static [(&'static str, &'static [&'static str])],
    /// Groups of parameters that exclude each other: at most one of a group may be given. If none
    /// is given, all keep their defaults; if one is given, the others have no value.
    pub one_of: &'static [&'static [&'static str]],
}

/// Text that matches a form of a table.
#[derive(Clone, Debug)]
pub struct Parsed<'f> {
    /// Matching form.
    pub form: &'f Form,
    /// Values of its parameters.
    pub args: Args,
    /// Syntax of the text.
    pub call: Call,
}

impl Parsed<'_> {
    /// Character at which the value of a parameter begins; `None` if the parameter was not given.
    /// [`Error::within`] moves an [`Error`] of that value to its place in the whole text.
    #[must_use]
    pub fn value_at(&self, parameter: &str) -> Option<usize> {
        let given = self.call.arguments.iter().find(|argument| argument.name == parameter);
        given.map(|argument| argument.value_at)
    }
}

impl Form {
    /// Returns a form with a name only. Tables fill in the rest.
    #[must_use]
    pub const fn new(name: &'static str) -> Form {
        Form {
            name,
            aliases: &[],
            summary: "",
            parameters: &[],
            common: &[],
            short: &[],
            one_of: &[],
        }
    }

    /// Own parameters of the form, followed by the common ones.
    pub fn all_parameters(&self) -> impl Iterator<Item = &'static Parameter> + use<> {
        self.parameters.iter().chain(self.common)
    }

    /// Tests whether `name` is the canonical name or an alias.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// Parameters that an argument of this name sets: several for a short name, otherwise the one
    /// of that name. Empty if the form has no such name.
    #[must_use]
    pub fn set_by(&self, name: &str) -> Vec<&'static Parameter> {
        let short = self.short.iter().find(|(short, _)| *short == name);
        self.all_parameters()
            .filter(|p| short.map_or(p.name == name, |(_, names)| names.contains(&p.name)))
            .collect()
    }

    /// Usage line of the form: `uct(iterations=N,cp=X)`. `|` separates parameters that exclude each
    /// other.
    #[must_use]
    pub fn usage(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        for parameter in self.all_parameters() {
            let part = format!("{}={}", parameter.name, parameter.values.placeholder());
            let group = self.one_of.iter().find(|group| group.contains(&parameter.name));
            match parts.last_mut() {
                Some(last) if group.is_some_and(|group| group[0] != parameter.name) => {
                    last.push('|');
                    last.push_str(&part);
                }
                _ => parts.push(part),
            }
        }
        if parts.is_empty() {
            self.name.to_owned()
        } else {
            format!("{}({})", self.name, parts.join(","))
        }
    }

    /// Values of the parameters: those of `call`, otherwise those of `presets`, otherwise the
    /// defaults. The name of the call appears in errors only.
    ///
    /// # Errors
    ///
    /// When the form has no such parameter, a value is out of range, a parameter without a default
    /// is not given, or two parameters that exclude each other are given.
    pub fn read(&self, role: Role, call: &Call, presets: &[(&str, &str)]) -> Result<Args, Error> {
        let mut args = Args::defaults(self.all_parameters());
        for (name, value) in presets {
            args.set(name, Some(value));
        }
        self.exclude(role, call, &mut args)?;
        // Short names come first, so that an argument for one parameter overrides a short name.
        let is_short = |name: &str| self.short.iter().any(|(short, _)| *short == name);
        let (short, single): (Vec<_>, Vec<_>) =
            call.arguments.iter().partition(|argument| is_short(&argument.name));
        for argument in short.into_iter().chain(single) {
            let parameters = self.set_by(&argument.name);
            let Some(parameter) = parameters.first() else {
                return Err(self.no_parameter(role, call, argument));
            };
            if let Values::Call(inner) = parameter.values {
                crate::call(inner, &argument.value)
                    .map_err(|error| error.within(argument.value_at))?;
            }
            let value = parameter.values.read(&argument.value).ok_or_else(|| Error::Value {
                role,
                form: call.name.clone(),
                parameter: argument.name.clone(),
                found: argument.value.clone(),
                at: argument.value_at,
                expected: parameter.values.to_string(),
            })?;
            for parameter in parameters {
                args.set(parameter.name, Some(&value));
            }
        }
        // Parameters that exclude each other may be empty.
        let alone = |p: &&Parameter| !self.one_of.iter().any(|group| group.contains(&p.name));
        match self.all_parameters().filter(alone).find(|p| args.get(p.name).is_none()) {
            None => Ok(args),
            Some(missing) => Err(Error::Missing {
                role,
                form: call.name.clone(),
                parameter: missing.name.to_owned(),
                usage: self.usage(),
            }),
        }
    }

    /// Removes the values of the parameters that a given one excludes.
    fn exclude(&self, role: Role, call: &Call, args: &mut Args) -> Result<(), Error> {
        for group in self.one_of {
            let given: Vec<&Argument> = call
                .arguments
                .iter()
                .filter(|argument| group.contains(&argument.name.as_str()))
                .collect();
            if let [_, second, ..] = given[..] {
                return Err(Error::Together {
                    role,
                    form: call.name.clone(),
                    one_of: group.iter().map(|&name| name.to_owned()).collect(),
                    second: second.name.clone(),
                    at: second.at,
                });
            }
            if !given.is_empty() {
                group.iter().for_each(|name| args.set(name, None));
            }
        }
        Ok(())
    }

    fn no_parameter(&self, role: Role, call: &Call, argument: &Argument) -> Error {
        let short = self.short.iter().map(|(short, _)| *short);
        let names: Vec<&str> = self.all_parameters().map(|p| p.name).chain(short).collect();
        Error::Parameter {
            role,
            form: call.name.clone(),
            found: argument.name.clone(),
            at: argument.at,
            nearest: nearest(&argument.name, names.iter().copied()).map(str::to_owned),
            known: names.into_iter().map(str::to_owned).collect(),
            example: self.example_with(&call.name, &argument.value).map(Into::into),
        }
    }

    /// Valid call of the form by `name`, with up to two of its own parameters whose defaults are short. Each takes the first
    /// of `values` that it allows, and each value serves once; otherwise it has its default, or the
    /// placeholder of a parameter without one. `None` if the form has no parameters of its own.
    ///
    /// ```
    /// use treegauge_grammar::{Form, Parameter, Values};
    ///
    /// let side = |name| Parameter { name, default: "8", values: Values::Whole(1, 9), help: "" };
    /// let parameters: &[Parameter] = Box::leak(Box::new([side("cols"), side("rows")]));
    /// let form = Form { parameters, ..Form::new("grid") };
    /// assert_eq!(form.example("grid", &["5", "6"]).as_deref(), Some("grid(cols=5,rows=6)"));
    /// assert_eq!(form.example("grid", &["big"]).as_deref(), Some("grid(cols=8,rows=8)"));
    /// ```
    #[must_use]
    pub fn example(&self, name: &str, values: &[&str]) -> Option<String> {
        let mut left: Vec<&str> =
            values.iter().copied().filter(|value| !value.is_empty()).collect();
        let mut set: Vec<String> = Vec::new();
        let excluded = |parameter: &Parameter| {
            let mut groups = self.one_of.iter();
            groups.any(|group| group[0] != parameter.name && group.contains(&parameter.name))
        };
        let is_short = |parameter: &&Parameter| parameter.default.len() <= EXAMPLE_LETTERS;
        let own = self.parameters.iter().filter(|parameter| !excluded(parameter));
        let own = own.filter(is_short);
        for parameter in own.take(EXAMPLE_PARAMETERS) {
            let taken = left.iter().position(|value| parameter.values.take(value));
            let value = match taken.map(|at| left.remove(at)) {
                Some(value) => value.to_owned(),
                None if parameter.default.is_empty() => parameter.values.placeholder(),
                None => parameter.default.to_owned(),
            };
            set.push(format!("{}={value}", parameter.name));
        }
        (!set.is_empty()).then(|| format!("{name}({})", set.join(",")))
    }

    /// Valid call of the form by `name`, as [`Form::example`], for a value whose parameter does not
    /// exist. The only parameter takes it, and so do two whole numbers, such as the sides of a
    /// board; others keep their defaults.
    #[must_use]
    pub fn example_with(&self, name: &str, value: &str) -> Option<String> {
        let mut first = self.parameters.iter().take(EXAMPLE_PARAMETERS);
        let are_whole = first.all(|parameter| matches!(parameter.values, Values::Whole(..)));
        let values = [value; EXAMPLE_PARAMETERS];
        let is_taken = are_whole || self.parameters.len() == 1;
        self.example(name, if is_taken { &values } else { &[] })
    }
}

/// Greatest length of a default in an example of a form.
const EXAMPLE_LETTERS: usize = 12;

/// Greatest number of parameters in an example of a form.
const EXAMPLE_PARAMETERS: usize = 2;

/// Parses the syntax of a text, without looking its name up.
///
/// # Errors
///
/// When the text is not of the form `name(param=value,...)`.
pub fn call(role: Role, text: &str) -> Result<Call, Error> {
    call_of(role, text, |_| None)
}

/// Parses the syntax of a text, as [`call`] does. `form` returns the form of a name, from which the
/// error of an argument makes its example.
///
/// # Errors
///
/// When the text is not of the form `name(param=value,...)`.
pub fn call_of(
    role: Role,
    text: &str,
    form: impl FnOnce(&str) -> Option<Form>,
) -> Result<Call, Error> {
    Call::parse(text).map_err(|error| {
        let example = match &error {
            CallError::BadArgument { .. } => example_of(text, form),
            _ => None,
        };
        Error::Form { role, text: text.to_owned(), error, example: example.map(Into::into) }
    })
}

/// Example of the form that a text names, with the values of the text.
fn example_of(text: &str, form: impl FnOnce(&str) -> Option<Form>) -> Option<String> {
    let (name, arguments) = text.trim().split_once('(')?;
    let name = Call::parse(name).ok()?.name;
    let arguments = arguments.strip_suffix(')').unwrap_or(arguments);
    let value = |argument| match str::split_once(argument, '=') {
        Some((_, value)) => value.trim(),
        None => argument.trim(),
    };
    let values: Vec<&str> = arguments.split(',').map(value).collect();
    form(&name)?.example(&name, &values)
}

/// Parses a text as one of `forms`.
///
/// # Errors
///
/// When the text is not a valid call of one of them.
pub fn parse<'f>(role: Role, forms: &'f [Form], text: &str) -> Result<Parsed<'f>, Error> {
    let named = |name: &str| forms.iter().find(|form| form.is_called(name)).copied();
    let call = call_of(role, text, named)?;
    let Some(form) = forms.iter().find(|form| form.is_called(&call.name)) else {
        let names = forms.iter().flat_map(|form| form.aliases.iter().copied().chain([form.name]));
        return Err(Error::unknown(role, &call.name, call.at, names));
    };
    let args = form.read(role, &call, &[])?;
    Ok(Parsed { form, args, call })
}

/// Parses the arguments of `form`: `param=value,...`, or the whole call `name(param=value,...)`.
///
/// # Errors
/// When the text has neither form, or the form does not take the arguments.
pub fn arguments(role: Role, form: &Form, text: &str) -> Result<Args, Error> {
    if let Ok(call) = Call::parse(text)
        && form.is_called(&call.name)
    {
        return form.read(role, &call, &[]);
    }
    let call = Call::parse_arguments(form.name, text).map_err(|error| Error::Form {
        role,
        text: text.to_owned(),
        example: match &error {
            CallError::BadArgument { .. } => form.example(form.name, &[]).map(Into::into),
            _ => None,
        },
        error,
    })?;
    form.read(role, &call, &[])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn whole(name: &'static str, default: &'static str) -> Parameter {
        Parameter { name, default, values: Values::Whole(1, 1_000), help: "" }
    }

    const FORMS: &[Form] = &[
        Form::new("human"),
        Form {
            aliases: &["ab"],
            parameters: &[
                Parameter {
                    name: "eval",
                    default: "mobility",
                    values: Values::Call(Role::Evaluator),
                    help: "",
                },
                whole("nodes", "20"),
                whole("depth", Parameter::NO_DEFAULT),
            ],
            one_of: &[&["nodes", "depth"]],
            ..Form::new("alphabeta")
        },
        Form {
            parameters: &[Parameter {
                name: "file",
                default: Parameter::NO_DEFAULT,
                values: Values::Text("PATH"),
                help: "",
            }],
            ..Form::new("perfect")
        },
        Form {
            parameters: &[whole("k1", "5"), whole("k2", "5")],
            common: &[whole("cap", "7")],
            short: &[("k", &["k1", "k2"])],
            ..Form::new("lines")
        },
    ];

    fn read(text: &str) -> Result<Parsed<'static>, Error> {
        parse(Role::Player, FORMS, text)
    }

    #[test]
    fn values_are_those_given_over_the_defaults() {
        let args = read("alphabeta").unwrap().args;
        assert_eq!((args.text("eval"), args.get("depth")), ("mobility", None));
        assert_eq!(args.long("nodes"), 20);
        // A given parameter removes the default of another that it excludes.
        let args = read("ab(depth=3)").unwrap().args;
        assert_eq!((args.whole("depth"), args.get("nodes")), (3, None));
        // An argument for one parameter overrides a short name, in any order.
        for text in ["lines(k=3,k2=4)", "lines(k2=4,k=3)"] {
            let args = read(text).unwrap().args;
            assert_eq!(["k1", "k2", "cap"].map(|name| args.whole(name)), [3, 4, 7]);
        }
    }

    #[test]
    fn a_value_may_be_a_call_of_many_arguments() {
        let text = "alphabeta(eval=uct(iterations=5,cp=1),nodes=9)";
        let player = read(text).unwrap();
        assert_eq!(player.args.text("eval"), "uct(iterations=5,cp=1)");
        assert_eq!(player.call.to_string(), text);
        // The error of an inner call is moved to the place where the user wrote it.
        let player = read("alphabeta(eval=lines(k1=0))").unwrap();
        let inner = parse(Role::Evaluator, FORMS, player.args.text("eval")).unwrap_err();
        assert_eq!(inner.at(), Some(10));
        let at = player.value_at("eval").unwrap();
        assert_eq!(
            inner.within(at).to_string(),
            "`k1` of evaluator `lines` cannot be \"0\" (character 25): it takes 1 to 1000"
        );
    }

    #[test]
    fn errors_say_what_is_wrong_where_and_what_would_do() {
        let said = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(
            said("humna"),
            "unknown player \"humna\"; did you mean `human`? (all: human, ab, alphabeta, perfect, lines)"
        );
        assert_eq!(
            said("human(file=x)"),
            "player `human` has no parameter \"file\" (character 7); it has none"
        );
        assert_eq!(
            said("perfect(fiel=x)"),
            "player `perfect` has no parameter \"fiel\" (character 9); its only parameter is `file`, as in `perfect(file=x)`"
        );
        assert_eq!(
            said("alphabeta(node=4)"),
            "player `alphabeta` has no parameter \"node\" (character 11); did you mean `nodes`? (all: eval, nodes, depth)"
        );
        assert_eq!(
            said("alphabeta(nodes=0)"),
            "`nodes` of player `alphabeta` cannot be \"0\" (character 17): it takes 1 to 1000"
        );
        assert_eq!(said("perfect"), "player `perfect` needs `file`: perfect(file=PATH)");
        assert_eq!(
            said("alphabeta(depth=2,nodes=4)"),
            "player `alphabeta` takes one of nodes, depth, and `nodes` (character 19) is a second one"
        );
        assert_eq!(
            said("alphabeta(depth"),
            "bad player \"alphabeta(depth\": the parenthesis at character 10 is not closed"
        );
        // Values without a name go to the parameters that take them.
        assert_eq!(
            said("lines(3,x)"),
            "bad player \"lines(3,x)\": \"3\" at character 7 is not `param=value`, as in `lines(k1=3,k2=5)`"
        );
        assert_eq!(
            said("lines(size=4)"),
            "player `lines` has no parameter \"size\" (character 7); its parameters are k1, k2, cap, k, as in `lines(k1=4,k2=4)`"
        );
        assert_eq!(
            said("alphabeta(eval=a(b))"),
            "bad evaluator \"a(b)\": \"b\" at character 18 is not `param=value`"
        );
        let none = parse(Role::Evaluator, &[], "margin").unwrap_err();
        assert_eq!(none.to_string(), "unknown evaluator \"margin\"; there are none");
    }

    #[test]
    fn usage_shows_every_parameter() {
        let usages: Vec<String> = FORMS.iter().map(Form::usage).collect();
        assert_eq!(
            usages,
            [
                "human",
                "alphabeta(eval=NAME,nodes=N|depth=N)",
                "perfect(file=PATH)",
                "lines(k1=N,k2=N,cap=N)"
            ]
        );
    }

    #[test]
    fn arguments_may_stand_without_their_name() {
        let lines = FORMS[3];
        let both = ["k=3,cap=2", "lines(k=3,cap=2)", " k = 3 , cap = 2 "];
        for text in both {
            let args = arguments(Role::SequentialTest, &lines, text).unwrap();
            assert_eq!((args.whole("k1"), args.whole("cap")), (3, 2), "{text}");
        }
        let error = arguments(Role::SequentialTest, &lines, "k=3,cap=x").unwrap_err();
        assert_eq!(error.at(), Some(9));
        let error = arguments(Role::SequentialTest, &lines, "k=3,cap").unwrap_err();
        assert_eq!(
            error.to_string(),
            "bad sequential test \"k=3,cap\": \"cap\" at character 5 is not `param=value`, as in `lines(k1=5,k2=5)`"
        );
    }

    proptest! {
        /// Every text is either read or refused with an error inside the text.
        #[test]
        fn every_error_stands_in_the_text(text in "[a-z]{0,9}[(]?[a-z0-9=,() ]{0,24}") {
            match read(&text) {
                Ok(parsed) => {
                    let again = read(&parsed.call.to_string()).unwrap();
                    prop_assert_eq!(again.args, parsed.args);
                }
                Err(error) => if let Some(at) = error.at() {
                    prop_assert!(at >= 1 && at <= text.chars().count() + 1, "{} {}", at, error);
                },
            }
        }
    }
}
