/** A word that readers stumble over, and the standard term for it. */
interface DiscouragedWord {
  pattern: RegExp
  instead: string
}

/** A word as prose or as part of an identifier: `wish`, `ListWish`, `readWish`, `wish-list`, but not `wishbone`. */
const term = (word: string): RegExp => {
  const capital = `${word[0]?.toUpperCase()}${word.slice(1)}`
  return new RegExp(`(?<![A-Za-z])${word}(?![a-z])|${capital}(?![a-z])`)
}

const phrase = (words: string): RegExp => new RegExp(`\\b(?:${words})\\b`, 'i')

/** STYLE_GUIDE.md says why; add a word when a review finds one that is used more than once. */
const DISCOURAGED_WORDS: readonly DiscouragedWord[] = [
  { pattern: term('wish'), instead: 'params, query, request' },
  { pattern: term('wishes'), instead: 'params, queries, requests' },
  { pattern: term('verdict'), instead: 'result, decision' },
  { pattern: /\b(?:TODO|FIXME)\b/, instead: 'what is the case now, or do it' },
  { pattern: term('surroundings'), instead: 'environment' },
  { pattern: term('bury'), instead: 'dead-letter' },
  { pattern: term('buried'), instead: 'dead-lettered' },
  { pattern: phrase('anew'), instead: 'again' },
  { pattern: phrase('afresh'), instead: 'again' },
  { pattern: phrase('lest'), instead: 'so that … not' },
  { pattern: phrase('whoever'), instead: 'any client, the user who' },
  { pattern: phrase('of ours'), instead: 'our own' },
  { pattern: phrase('so long as'), instead: 'while' },
  { pattern: phrase('is told of'), instead: 'is notified of' },
  { pattern: phrase('waits for company'), instead: 'is buffered' },
  { pattern: phrase('the door is open'), instead: 'process ready' },
  { pattern: phrase('tidied'), instead: 'cleaned up' },
  {
    pattern: /\b(?:const|function|let) (?:tell|told|desk|door|standing)\b/,
    instead: 'notify, report, dashboard, permissions',
  },
  { pattern: phrase('befalls?'), instead: 'happens to' },
  { pattern: phrase('mends?|mended'), instead: 'fix' },
]

/** Applied migrations do not change; the list, its test and the style guide name the words. */
const EXEMPT =
  /\/migrations\/|^infra\/lint\/(?:discouraged-words|tests\/rules\.test)\.ts$|^STYLE_GUIDE\.md$|^pnpm-lock\.yaml$|\.json$/

/** Finds discouraged words in a file, and names the standard term for each. */
export function findDiscouragedWords(path: string, text: string): string[] {
  if (EXEMPT.test(path)) return []
  return text.split('\n').flatMap((line, index) =>
    DISCOURAGED_WORDS.flatMap(({ pattern, instead }) => {
      const word = pattern.exec(line)?.[0]
      return word === undefined ? [] : [`${path}:${index + 1}: "${word}": write ${instead}`]
    }),
  )
}
