import { useState } from 'react'
import { classNames } from './class-names.ts'

const SIZES = {
  small: 'size-8 text-sm',
  medium: 'size-11 text-base',
  large: 'size-24 text-3xl',
  huge: 'size-32 text-4xl',
} as const

const COLOURS = [
  'bg-primary text-on-primary',
  'bg-secondary text-on-secondary',
  'bg-accent text-on-accent',
] as const

/** The classes of a colour derived from the name. */
export function colourOf(name: string): string {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return COLOURS[sum % COLOURS.length] ?? COLOURS[0]
}

/**
 * A user's picture or, if there is none or it fails to load, the first letter of the name on a theme colour.
 * Decorative: the name is shown next to it.
 */
export function Avatar(props: {
  name: string
  url: string | null | undefined
  size?: keyof typeof SIZES
  className?: string
}) {
  const { name, url, size = 'medium', className } = props
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const frame = classNames('shrink-0 overflow-hidden rounded-full', SIZES[size], className)
  if (url && url !== failedUrl) {
    return (
      <img
        src={url}
        alt=""
        width={128}
        height={128}
        decoding="async"
        className={classNames(frame, 'bg-raised object-cover')}
        onError={() => setFailedUrl(url)}
      />
    )
  }
  return (
    <span
      aria-hidden="true"
      className={classNames(
        frame,
        'grid place-items-center leading-none font-bold uppercase',
        colourOf(name),
      )}
    >
      {[...name][0] ?? '?'}
    </span>
  )
}
