/** Scripts in everyday use (UAX #31, table 5). Others look too much like these, or have no users of today. */
const SCRIPTS = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Hebrew',
  'Kannada',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
]

/** Combinations that are written together, with Latin between them (UTS #39 §5.2, "Highly Restrictive"). */
const COMBINATIONS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

const ALLOWED = [...SCRIPTS.map((script) => [script]), ...COMBINATIONS].map((scripts) => {
  const classes = ['Common', 'Inherited', ...scripts].map((script) => `\\p{Script_Extensions=${script}}`)
  return new RegExp(`^[${classes.join('')}]*$`, 'u')
})

/** Is `text` written in one script, or in scripts that are used together? Digits, signs and emoji belong to all. */
export const isOneScript = (text: string): boolean => ALLOWED.some((pattern) => pattern.test(text))
