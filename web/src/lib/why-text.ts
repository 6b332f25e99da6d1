import type { VideoProgramme } from '@looptide/contracts/http/channels'

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
const NUMBERS = 'one two three four five six seven eight nine ten'.split(' ')

/**
 * Why a video is on, in one sentence: "Friday Night Gold: third of three from Gold"; outside blocks "From Gold". Of a past
 * evening the name of its special, because its source is only a list. Undefined without a schedule.
 */
export function whyText({ block, reason }: Pick<VideoProgramme, 'block' | 'reason'>): string | undefined {
  if (reason === null || (reason.again && block)) return block?.name
  const { source, number, count } = reason
  const from = `from ${withCapital(source)}`
  const isOneOfSeveral = number !== null && count !== null && count > 1
  const what = isOneOfSeveral ? `${ordinal(number)} of ${cardinal(count)} ${from}` : from
  return block === null ? withCapital(what) : `${block.name}: ${what}`
}

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const cardinal = (count: number): string => NUMBERS[count - 1] ?? String(count)

/** "third"; from eleven on as "11th", "22nd". */
export function ordinal(number: number): string {
  const word = ORDINALS[number - 1]
  if (word !== undefined) return word
  const isTeen = number % 100 > 10 && number % 100 < 14
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return `${number}${ending}`
}
