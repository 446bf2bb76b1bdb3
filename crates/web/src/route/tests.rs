use proptest::prelude::*;

use super::*;

fn forms() -> impl Strategy<Value = Form> {
    prop_oneof![Just(Form::Page), Just(Form::Json)]
}

fn names() -> impl Strategy<Value = String> {
    let dotted = "[a-z]{1,4}\\.(json|html|txt|csv|svg|rules)";
    prop_oneof![dotted, "[a-z_]{1,8}(\\([a-z=,0-9./ %?#&]{1,9}\\))?", "[^\\p{C}]{1,12}"]
}

fn solutions() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(names(), 1..4).prop_map(|mut names| {
        names.last_mut().unwrap().push_str(SOLUTION_ENDING);
        names
    })
}

fn views() -> impl Strategy<Value = View> {
    prop_oneof![
        Just(View::Page),
        Just(View::Json),
        Just(View::Html),
        Just(View::Text),
        Just(View::Log),
        names().prop_map(View::Table),
        names().prop_map(View::Chart),
        forms().prop_map(View::Games),
        (names(), forms()).prop_map(|(name, form)| View::Game(name, form)),
        (any::<u32>(), forms()).prop_map(|(number, form)| View::Best(number, form)),
        any::<u32>().prop_map(View::BestBoard),
    ]
}

fn routes() -> impl Strategy<Value = Route> {
    prop_oneof![
        forms().prop_map(Route::Home),
        forms().prop_map(Route::Games),
        (names(), forms()).prop_map(|(game, form)| Route::Game(game, form)),
        forms().prop_map(Route::Texts),
        (proptest::collection::vec(names(), 1..4), forms())
            .prop_map(|(names, form)| Route::Text(names, form)),
        forms().prop_map(Route::Studies),
        (proptest::collection::vec(names(), 1..4), forms())
            .prop_map(|(names, form)| Route::Study(names, form)),
        proptest::collection::vec(names(), 1..4).prop_map(Route::SaveText),
        proptest::collection::vec(names(), 1..4).prop_map(Route::RenameText),
        proptest::collection::vec(names(), 1..4).prop_map(Route::RemoveText),
        Just(Route::NewText),
        Just(Route::Check),
        Just(Route::Differences),
        (names(), 0..6_usize).prop_map(|(game, n)| {
            let files = PlayView::FILES.map(|(view, _)| view);
            let views = [&[PlayView::Page, PlayView::Json], &files[..]].concat();
            Route::Play(game, views[n])
        }),
        (names(), 0..6_usize).prop_map(|(game, n)| {
            let files = TreeView::FILES.map(|(view, _)| view);
            let views = [&[TreeView::Page, TreeView::Json], &files[..]].concat();
            Route::Tree(game, views[n])
        }),
        (0..Ask::ALL.len()).prop_map(|n| Route::Ask(Ask::ALL[n])),
        (0..TASKS.len(), forms()).prop_map(|(n, form)| Route::New(TASKS[n].name, form)),
        forms().prop_map(Route::Runs),
        (names(), views()).prop_map(|(id, view)| Route::Run(id, view)),
        forms().prop_map(Route::Files),
        proptest::collection::vec(names(), 1..4).prop_map(Route::File),
        forms().prop_map(Route::Help),
        Just(Route::Open),
        Just(Route::Healthz),
        Just(Route::Events),
        (names(), names()).prop_map(|(hash, name)| Route::Asset(hash, name)),
        Just(Route::Routes),
        Just(Route::Start),
        (names(), 0..Act::ALL.len()).prop_map(|(id, n)| Route::Change(id, Act::ALL[n])),
        Just(Route::Upload),
        Just(Route::Code),
        forms().prop_map(Route::Chess),
        (names(), forms()).prop_map(|(id, form)| Route::ChessRun(id, form)),
        (names(), 1..u32::MAX, forms()).prop_map(|(id, n, form)| Route::ChessProblem(id, n, form)),
        names().prop_map(Route::ChessNotes),
        names().prop_map(Route::ChessPractice),
        Just(Route::Problems),
        Just(Route::Note),
        Just(Route::Attempts),
        forms().prop_map(Route::Solved),
        (solutions(), forms()).prop_map(|(names, form)| Route::SolvedFile(names, form)),
        (solutions(), forms()).prop_map(|(names, form)| Route::Landscape(names, form)),
        (names(), forms()).prop_map(|(id, form)| Route::Puzzles(id, form)),
        names().prop_map(Route::Worksheet),
        names().prop_map(Route::Practice),
        (names(), 1..u32::MAX, forms()).prop_map(|(id, n, form)| Route::Puzzle(id, n, form)),
    ]
}

proptest! {
    #[test]
    fn a_link_is_read_as_its_route(route in routes()) {
        let link = route.link();
        prop_assert!(link.is_ascii() && !link.contains(['?', '#', ' ']), "{}", link);
        prop_assert_eq!(Route::parse(&route.method(), &link), Ok(route));
    }

    #[test]
    fn any_path_is_read_without_a_panic(path in "[/a-z.%0-9()~-]{0,40}|\\PC{0,20}") {
        if let Ok(route) = Route::parse(&Method::GET, &path) {
            prop_assert_eq!(Route::parse(&Method::GET, &route.link()), Ok(route));
        }
    }
}

#[test]
fn a_method_that_a_route_does_not_have_is_told_from_a_path_that_is_not_there() {
    assert_eq!(Route::parse(&Method::POST, "/games"), Err(NoRoute::Method));
    assert_eq!(Route::parse(&Method::GET, "/api/uploads"), Err(NoRoute::Method));
    assert_eq!(Route::parse(&Method::GET, "/solved/a.txt"), Err(NoRoute::Path));
    assert_eq!(Route::parse(&Method::GET, "/new/serve"), Err(NoRoute::Path));
    assert_eq!(Route::parse(&Method::HEAD, "/games"), Ok(Route::Games(Form::Page)));
}

#[test]
fn every_example_is_read_as_itself() {
    let run = "2026-11-27-1-gauge-achi";
    let mut more = vec![
        Route::Study(vec!["study".to_owned()], Form::Page),
        Route::Run(run.to_owned(), View::Game("3".to_owned(), Form::Json)),
        Route::Run(run.to_owned(), View::BestBoard(3)),
    ];
    more.extend(Route::examples_of_solution("a/b.tgs"));
    more.extend(Route::examples_of_puzzles("2026-11-27-1-puzzles-achi"));
    more.extend(Route::examples_of_chess("2026-11-27-1-difficulty-a"));
    for route in Route::examples(Some(run), Some("a/b.rules"), more) {
        assert_eq!(Route::parse(&route.method(), &route.link()), Ok(route));
    }
}
