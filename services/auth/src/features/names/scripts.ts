/** Scripts in everyday use (UAX #31, table 5). Others resemble these too much or have no users today. */
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

/** Scripts that are written together, including Latin (UTS #39 §5.2, "Highly Restrictive"). */
const COMBINATIONS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

const ALLOWED = [...SCRIPTS.map((script) => [script]), ...COMBINATIONS].map((scripts) => {
  const classes = ['Common', 'Inherited', ...scripts].map((script) => `\\p{Script_Extensions=${script}}`)
  return new RegExp(`^[${classes.join('')}]*$`, 'u')
})

/** Whether `text` is written in one script or a usual combination. Digits, signs and emoji belong to every script. */
export const isOneScript = (text: string): boolean => ALLOWED.some((pattern) => pattern.test(text))
