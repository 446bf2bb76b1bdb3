//! Messages about invalid texts.

use super::texts;
use crate::Text;

#[test]
fn every_wrong_text_has_its_message() {
    for (name, source) in texts("rules_bad") {
        let mistakes = Text::read(&source).and_then(|text| text.check()).unwrap_err();
        insta::assert_snapshot!(name.clone(), mistakes.text(&format!("{name}.rules")));
    }
}
