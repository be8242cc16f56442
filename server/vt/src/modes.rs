//! Modes: what a program has switched on, and the numbers it does so with.

use std::fmt::Write as _;

use crate::parser::Params;
use crate::screen::Screen;

/// Which mouse events a program wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mouse {
    /// None.
    #[default]
    Off,
    /// Presses alone (9).
    X10,
    /// Presses, releases, the wheel (1000).
    Buttons,
    /// These, and moves with a button held (1002).
    Drag,
    /// Every move (1003).
    Motion,
}

/// How mouse events are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MouseEncoding {
    /// One byte a number, up to 223.
    #[default]
    Bytes,
    /// Decimal numbers, in cells (1006).
    Sgr,
    /// Decimal numbers, in pixels (1016).
    SgrPixels,
}

/// Shape of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CursorShape {
    /// A block.
    Block,
    /// A line under the character.
    Underline,
    /// A line before the character.
    Bar,
}

/// The modes of a terminal: what a page needs to send keys, pastes and mouse events rightly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modes {
    /// The alternate screen is shown (47, 1047, 1049).
    pub alt_screen: bool,
    /// Flags of the kitty keyboard protocol on the shown screen.
    pub kitty: u8,
    /// Cursor keys send application sequences (1).
    pub app_cursor: bool,
    /// The keypad sends application sequences (66, `ESC =`).
    pub app_keypad: bool,
    /// Pastes are bracketed (2004).
    pub bracketed_paste: bool,
    /// Which mouse events are wanted.
    pub mouse: Mouse,
    /// How they are written.
    pub mouse_encoding: MouseEncoding,
    /// The wheel sends cursor keys on the alternate screen (1007).
    pub alt_scroll: bool,
    /// Focus changes are reported (1004).
    pub focus: bool,
    /// Output is being synchronized: the program is in the middle of a frame (2026).
    pub sync: bool,
    /// Theme changes are reported (2031).
    pub theme_reports: bool,
    /// The cursor is shown (25).
    pub cursor_visible: bool,
    /// The cursor's shape, if the program chose one.
    pub cursor_shape: Option<CursorShape>,
    /// Whether it blinks, if the program chose so along with a shape.
    pub cursor_blinks: Option<bool>,
    /// Whether a cursor nobody chose a shape for blinks (12).
    pub default_blinks: bool,
    /// Rows count from the top margin (6).
    pub origin: bool,
    /// Text wraps at the last column (7).
    pub autowrap: bool,
    /// Backspace goes back over a wrap (45).
    pub reverse_wrap: bool,
    /// Characters push what follows to the right (4).
    pub insert: bool,
    /// A line feed returns to the first column too (20).
    pub newline: bool,
}

impl Default for Modes {
    fn default() -> Self {
        Self {
            alt_screen: false,
            kitty: 0,
            app_cursor: false,
            app_keypad: false,
            bracketed_paste: false,
            mouse: Mouse::Off,
            mouse_encoding: MouseEncoding::Bytes,
            alt_scroll: false,
            focus: false,
            sync: false,
            theme_reports: false,
            cursor_visible: true,
            cursor_shape: None,
            cursor_blinks: None,
            default_blinks: false,
            origin: false,
            autowrap: true,
            reverse_wrap: false,
            insert: false,
            newline: false,
        }
    }
}

/// Answers of DECRPM.
const UNKNOWN: u8 = 0;
const SET: u8 = 1;
const RESET: u8 = 2;
const ALWAYS: u8 = 3;
const NEVER: u8 = 4;

impl Modes {
    /// Resets what DECSTR resets, the way xterm.js does.
    pub(crate) fn soft_reset(&mut self) {
        *self = Self {
            alt_screen: self.alt_screen,
            mouse: self.mouse,
            mouse_encoding: self.mouse_encoding,
            alt_scroll: self.alt_scroll,
            theme_reports: self.theme_reports,
            default_blinks: self.default_blinks,
            newline: self.newline,
            ..Self::default()
        };
    }

    /// Resets what RIS resets: not the options, and in xterm.js not a hidden cursor.
    pub(crate) fn hard_reset(&mut self) {
        *self = Self {
            cursor_visible: self.cursor_visible,
            default_blinks: self.default_blinks,
            newline: self.newline,
            ..Self::default()
        };
    }

    /// Sets or resets a private mode that is nothing but a flag; false if it is not one.
    fn set_flag(&mut self, mode: i32, on: bool) -> bool {
        match mode {
            1 => self.app_cursor = on,
            7 => self.autowrap = on,
            12 => self.default_blinks = on,
            25 => self.cursor_visible = on,
            45 => self.reverse_wrap = on,
            66 => self.app_keypad = on,
            9 | 1000 | 1002 | 1003 => {
                self.mouse = match mode {
                    _ if !on => Mouse::Off,
                    9 => Mouse::X10,
                    1000 => Mouse::Buttons,
                    1002 => Mouse::Drag,
                    _ => Mouse::Motion,
                };
            }
            1004 => self.focus = on,
            1006 | 1016 => {
                self.mouse_encoding = match mode {
                    _ if !on => MouseEncoding::Bytes,
                    1006 => MouseEncoding::Sgr,
                    _ => MouseEncoding::SgrPixels,
                };
            }
            1007 => self.alt_scroll = on,
            2004 => self.bracketed_paste = on,
            2026 => self.sync = on,
            2031 => self.theme_reports = on,
            _ => return false,
        }
        true
    }

    /// What DECRPM says of a private mode.
    pub(crate) fn report_private(&self, mode: i32) -> u8 {
        let on = match mode {
            1 => self.app_cursor,
            6 => self.origin,
            7 => self.autowrap,
            8 | 2027 => return ALWAYS,
            9 => self.mouse == Mouse::X10,
            12 => self.default_blinks,
            25 => self.cursor_visible,
            45 => self.reverse_wrap,
            47 | 1047 | 1049 => self.alt_screen,
            66 => self.app_keypad,
            67 | 1005 | 1015 => return NEVER,
            1000 => self.mouse == Mouse::Buttons,
            1002 => self.mouse == Mouse::Drag,
            1003 => self.mouse == Mouse::Motion,
            1004 => self.focus,
            1006 => self.mouse_encoding == MouseEncoding::Sgr,
            1007 => self.alt_scroll,
            1016 => self.mouse_encoding == MouseEncoding::SgrPixels,
            1048 => return SET,
            2004 => self.bracketed_paste,
            2026 => self.sync,
            2031 => self.theme_reports,
            _ => return UNKNOWN,
        };
        if on { SET } else { RESET }
    }

    /// What DECRPM says of an ANSI mode.
    pub(crate) fn report_ansi(&self, mode: i32) -> u8 {
        match mode {
            2 => NEVER,
            4 if self.insert => SET,
            4 => RESET,
            12 => ALWAYS,
            20 if self.newline => SET,
            20 => RESET,
            _ => UNKNOWN,
        }
    }

    /// Parameter of DECSCUSR that leads to the cursor's shape and blinking.
    pub(crate) fn cursor_style(&self) -> u8 {
        let blinks = u8::from(self.cursor_blinks == Some(false));
        match self.cursor_shape {
            Some(CursorShape::Block) => 1 + blinks,
            Some(CursorShape::Underline) => 3 + blinks,
            Some(CursorShape::Bar) => 5 + blinks,
            None if self.cursor_blinks.is_some() => 7 + blinks,
            None => 0,
        }
    }

    /// Sequences that lead from the default modes here, but for the screens, the keyboard, the
    /// origin (it moves the cursor) and synchronized output (it comes last).
    pub(crate) fn write(&self, out: &mut String) {
        let usual = Self::default();
        let mouse = match self.mouse {
            Mouse::Off => 0,
            Mouse::X10 => 9,
            Mouse::Buttons => 1000,
            Mouse::Drag => 1002,
            Mouse::Motion => 1003,
        };
        let encoding = match self.mouse_encoding {
            MouseEncoding::Bytes => 0,
            MouseEncoding::Sgr => 1006,
            MouseEncoding::SgrPixels => 1016,
        };
        let private = [
            (1, self.app_cursor, usual.app_cursor),
            (7, self.autowrap, usual.autowrap),
            (12, self.default_blinks, usual.default_blinks),
            (25, self.cursor_visible, usual.cursor_visible),
            (45, self.reverse_wrap, usual.reverse_wrap),
            (66, self.app_keypad, usual.app_keypad),
            (mouse, mouse != 0, false),
            (1004, self.focus, usual.focus),
            (encoding, encoding != 0, false),
            (1007, self.alt_scroll, usual.alt_scroll),
            (2004, self.bracketed_paste, usual.bracketed_paste),
            (2031, self.theme_reports, usual.theme_reports),
        ];
        for (mode, on, usual) in private {
            if on != usual {
                // Writing to a string cannot fail.
                _ = write!(out, "\x1b[?{mode}{}", if on { 'h' } else { 'l' });
            }
        }
        if self.insert {
            out.push_str("\x1b[4h");
        }
        if self.newline {
            out.push_str("\x1b[20h");
        }
        if self.cursor_style() != 0 {
            _ = write!(out, "\x1b[{} q", self.cursor_style());
        }
    }
}

impl Screen {
    /// `CSI Pm h` and `CSI Pm l`.
    pub(crate) fn set_ansi_modes(&mut self, params: &Params, on: bool) {
        for mode in params.iter() {
            match mode {
                4 => self.modes.insert = on,
                20 => self.modes.newline = on,
                _ => {}
            }
        }
    }

    /// `CSI ? Pm h` and `CSI ? Pm l`.
    pub(crate) fn set_private_modes(&mut self, params: &Params, on: bool) {
        for mode in params.iter() {
            if self.modes.set_flag(mode, on) {
                continue;
            }
            match mode {
                2 if on => (0..4).for_each(|slot| self.charsets.designate(slot, None)),
                6 => {
                    self.modes.origin = on;
                    self.move_to(0, 0);
                }
                47 | 1047 if on => self.show_alt(),
                47 | 1047 => self.show_main(),
                1048 if on => self.save_cursor(),
                1048 => self.restore_cursor(),
                1049 if on => {
                    self.save_cursor();
                    self.show_alt();
                }
                1049 => {
                    self.show_main();
                    self.restore_cursor();
                }
                _ => {}
            }
        }
    }

    /// DECSCUSR.
    pub(crate) fn set_cursor_style(&mut self, style: i32) {
        let modes = &mut self.modes;
        match style {
            0 => {
                modes.cursor_shape = None;
                modes.cursor_blinks = None;
                return;
            }
            1 | 2 => modes.cursor_shape = Some(CursorShape::Block),
            3 | 4 => modes.cursor_shape = Some(CursorShape::Underline),
            5 | 6 => modes.cursor_shape = Some(CursorShape::Bar),
            _ => {}
        }
        modes.cursor_blinks = Some(style % 2 == 1);
    }
}
