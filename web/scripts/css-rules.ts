/** The punctuation between rules, and what may contain such a character without being it. */
const TOKEN = /\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\*[\s\S]*?\*\/|[{};(),]/g
const COMMENT = /\/\*[\s\S]*?\*\//g
/** At-rules that contain style rules. */
const GROUP = /^@(layer|media|supports|container)\b/
const CLASS = /\.(?!\d)((?:\\[0-9a-f]{1,6} ?|\\.|[\w-])+)/g
const ESCAPED = /\\(?:([0-9a-f]{1,6}) ?|(.))/g
/** A selector that may match an element without the classes that it names, in a form without escapes. */
const CHOICE = /:not\([^)]*\.|\([^)]*,/

interface Rule {
  /** The selectors, or an at-rule's name with its parameters. */
  head: string
  /** Undefined for an at-rule that ends with a semicolon. */
  body?: string
}

/**
 * A minified stylesheet without the style rules that need one of these classes. All other text stays as it is, letter for
 * letter, and in its order.
 */
export function withoutClasses(css: string, classes: ReadonlySet<string>): string {
  const kept = rulesOf(css).map(({ head, body }) => {
    if (body === undefined) return `${head};`
    const start = head.replaceAll(COMMENT, '').trimStart()
    if (GROUP.test(start)) {
      const rules = withoutClasses(body, classes)
      return rules === '' ? '' : `${head}{${rules}}`
    }
    const isKept = start.startsWith('@') || selectorsOf(start).some((each) => !needs(each, classes))
    return isKept ? `${head}{${body}}` : ''
  })
  return kept.join('')
}

/** The names of the classes in selectors. */
export const classesOf = (css: string): string[] =>
  [...css.matchAll(CLASS)].map(([, name = '']) =>
    name.replaceAll(ESCAPED, (_, code?: string, character?: string) =>
      code === undefined ? (character ?? '') : String.fromCodePoint(Number.parseInt(code, 16)),
    ),
  )

const needs = (selector: string, classes: ReadonlySet<string>): boolean =>
  !CHOICE.test(selector.replaceAll(/\\./g, '_')) && classesOf(selector).some((name) => classes.has(name))

function rulesOf(css: string): Rule[] {
  const rules: Rule[] = []
  let [start, opened, depth] = [0, 0, 0]
  for (const { 0: token, index } of css.matchAll(TOKEN)) {
    if (token === '{') {
      if (depth === 0) opened = index
      depth += 1
    } else if (token === '}') {
      depth -= 1
      if (depth > 0) continue
      rules.push({ head: css.slice(start, opened), body: css.slice(opened + 1, index) })
      start = index + 1
    } else if (token === ';' && depth === 0) {
      rules.push({ head: css.slice(start, index) })
      start = index + 1
    }
  }
  return rules
}

/** The selectors of a list. */
function selectorsOf(list: string): string[] {
  const selectors: string[] = []
  let [start, depth] = [0, 0]
  for (const { 0: token, index } of list.matchAll(TOKEN)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (token !== ',' || depth > 0) continue
    selectors.push(list.slice(start, index))
    start = index + 1
  }
  return [...selectors, list.slice(start)]
}
