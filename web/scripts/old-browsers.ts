import { parse } from 'acorn'
import { simple } from 'acorn-walk'

// What the build of the page for televisions may not use: scripts are parsed with the syntax of ES2020, and interfaces and
// styles that came after Chromium 87 are found by their names. The years are those of Chromium (developer.mozilla.org).

/** Methods and properties that came after Chromium 87, whatever they belong to. */
const MEMBERS = new Set([
  ...['at', 'findLast', 'toSorted', 'hasOwn', 'withResolvers', 'setHTMLUnsafe', 'getHTML'],
  ...['findLastIndex', 'toReversed', 'toSpliced', 'fromAsync', 'replaceSync', 'isWellFormed', 'toWellFormed'],
  ...[
    'isSubsetOf',
    'isSupersetOf',
    'isDisjointFrom',
    'symmetricDifference',
    'groupBy',
    'canParse',
    'throwIfAborted',
  ],
  ...['checkVisibility', 'showPopover', 'hidePopover', 'togglePopover', 'moveBefore', 'startViewTransition'],
  ...['randomUUID', 'getOrInsert', 'getOrInsertComputed', 'adoptedStyleSheets', 'inert'],
])

/** Static functions and globals that came after Chromium 87. */
const GLOBALS = new Set([
  ...['Promise.try', 'URL.parse', 'Iterator.from', 'RegExp.escape', 'AbortSignal.any', 'AbortSignal.timeout'],
  ...['structuredClone', 'reportError', 'scheduler', 'navigation', 'Iterator', 'URLPattern', 'Temporal'],
])

/** What `src/tv/polyfills.ts` adds. */
const POLYFILLED = new Set([
  'at',
  'findLast',
  'toSorted',
  'canParse',
  'AbortSignal.any',
  'AbortSignal.timeout',
])

/** What libraries use only where the browser has it: core-js; React; hls.js. */
const GUARDED = new Set(['hasOwn', 'reportError', 'startViewTransition', 'navigation', 'randomUUID'])

/** The parts of a script that Chromium 87 cannot parse or does not have, as messages. */
export function scriptFaults(file: string, code: string): string[] {
  const faults = new Set<string>()
  const report = (name: string, at: number) => {
    if (!POLYFILLED.has(name) && !GUARDED.has(name)) faults.add(`${file}: ${name} at ${at}`)
  }
  let program: ReturnType<typeof parse>
  try {
    program = parse(code, { ecmaVersion: 2020, sourceType: 'module' })
  } catch (error) {
    return [`${file}: ${error instanceof Error ? error.message : String(error)}`]
  }
  simple(program, {
    MemberExpression: ({ object, property, computed, start }) => {
      if (computed || property.type !== 'Identifier') return
      const path = object.type === 'Identifier' ? `${object.name}.${property.name}` : property.name
      if (MEMBERS.has(property.name)) report(property.name, start)
      if (GLOBALS.has(path)) report(path, start)
    },
    Identifier: ({ name, start }) => {
      if (GLOBALS.has(name)) report(name, start)
    },
  })
  return [...faults]
}

/** Features of style sheets that came after Chromium 87, by a pattern of their use. */
const STYLES: Readonly<Record<string, RegExp>> = {
  'an at-rule': /@(?:layer|container|property|scope|starting-style|counter-style|position-try)\b/,
  'a colour function': /\b(?:color-mix|oklch|oklab|lab|lch|hwb|color|light-dark)\(/,
  'a selector': /:(?:has|is|where|modal|popover-open|user-valid|user-invalid|picture-in-picture)\b/,
  'a selector list in :not': /:not\([^()]*,/,
  nesting: /[{;}]\s*&|\{[^{}@]*[;{]\s*(?:\.|#|>|\+|~)[\w\s-]+\{/,
  'a property':
    /[{;]\s*(?:aspect-ratio|scale|translate|rotate|accent-color|text-wrap|container(?:-\w+)?|view-transition-name|animation-timeline|anchor-name|field-sizing|interpolate-size)\s*:/,
  'a value': /:\s*(?:clip|subgrid|pretty|balance)\s*[;}]/,
  'a unit': /\d(?:[dsl]v(?:h|w|min|max|i|b)|cq(?:w|h|i|b|min|max)|lh|rlh|cap|ic)\b/,
  'a media query range': /@media[^{]*[<>]/,
}

/** The parts of a style sheet that Chromium 87 ignores, as messages. */
export function cssFaults(file: string, css: string): string[] {
  return Object.entries(STYLES).flatMap(([what, pattern]) => {
    const found = pattern.exec(css)
    return found ? [`${file}: ${what}: ${found[0].trim()} at ${found.index}`] : []
  })
}
