import { classNames } from '../../ui/class-names.ts'

/** Dark enough for white letters (WCAG 2.2, 1.4.3), and different from each other. */
const COLOURS = [
  'bg-[#1d4ed8]',
  'bg-[#7c3aed]',
  'bg-[#be185d]',
  'bg-[#b45309]',
  'bg-[#047857]',
  'bg-[#0e7490]',
  'bg-[#b91c1c]',
  'bg-[#4d7c0f]',
] as const

/** The colour of a channel without a logo, derived from its id. */
function colourOf(channelId: string): string {
  let sum = 0
  for (const character of channelId) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return COLOURS[sum % COLOURS.length] ?? COLOURS[0]
}

/** The initials of the first two words of a name, rather than of its numbers: 'LS' for '24/7 Live Stream'. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/)
  const named = words.filter((word) => /^\P{N}*\p{L}/u.test(word))
  const letters = (named.length > 0 ? named : words)
    .slice(0, 2)
    .map((word) => [...word].find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? '')
  return letters.join('').toUpperCase()
}

/** A channel's initials on its colour. Decorative: the name is shown beside them. */
export function ChannelMark(props: { channelId: string; name: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'grid shrink-0 place-items-center rounded-md leading-none font-bold tracking-tight text-white',
        colourOf(props.channelId),
        props.className,
      )}
    >
      {initialsOf(props.name) || '?'}
    </span>
  )
}
