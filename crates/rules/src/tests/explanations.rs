//! Explanations of texts in plain English.

use super::layout::text_with;
use super::{program, programs};
use crate::{WORDS, explain};

#[test]
fn every_text_has_its_explanation() {
    for (name, program) in programs() {
        insta::with_settings!({ snapshot_path => "explanations", prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(name.clone(), explain(&program).to_string());
        });
    }
}

#[test]
fn every_word_has_a_phrase() {
    let mut all = String::new();
    for word in WORDS {
        let explanation = explain(&program(&text_with(word)));
        for section in &explanation.sections {
            for paragraph in &section.paragraphs {
                let text = &paragraph.text;
                assert!(text.ends_with(['.', ':']), "{}: {text}", word.name);
                assert!(!text.contains("  ") && !text.contains(" ."), "{}: {text}", word.name);
            }
        }
        all.push_str(&format!("{} {}: {}\n{explanation}\n", word.sort, word.name, word.example));
    }
    insta::with_settings!({ snapshot_path => "explanations", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("all_words", all);
    });
}
