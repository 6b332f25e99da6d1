import { useState } from 'react'
import { colourOf } from './avatar.tsx'
import { classNames } from './class-names.ts'

const SIZES = {
  small: 'size-7 rounded-sm text-xs',
  medium: 'size-11 rounded-md text-sm',
  /** Of a row of the guide. */
  row: 'size-8 rounded-md text-sm guide-wide:size-11 guide-wide:text-base tv:size-16 tv:text-xl',
} as const

/** The first letters of the first and of the last word, at most two; numbers count only where there are no words. */
export function initialsOf(name: string): string {
  const parts = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const named = parts.filter((word) => /^\p{L}/u.test(word))
  const words = named.length > 0 ? named : parts
  const [first = '?'] = words[0] ?? name
  const [last = ''] = words.length > 1 ? (words.at(-1) ?? '') : ''
  return `${first}${last}`
}

/**
 * A channel's logo or, if it has none or it fails to load, the initials of its name on a theme colour. Decorative: the name
 * is shown next to it.
 */
export function ChannelLogo(props: {
  name: string
  url: string | null | undefined
  size?: keyof typeof SIZES
}) {
  const { name, url, size = 'medium' } = props
  const [failedUrl, setFailedUrl] = useState<string>()
  const frame = classNames('shrink-0 overflow-hidden', SIZES[size])
  if (url && url !== failedUrl) {
    return (
      <img
        src={url}
        alt=""
        width={128}
        height={128}
        decoding="async"
        className={classNames(frame, 'bg-deep object-contain')}
        onError={() => setFailedUrl(url)}
      />
    )
  }
  return (
    <span
      aria-hidden="true"
      className={classNames(
        frame,
        'grid place-items-center leading-none font-bold tracking-wide uppercase before:content-[attr(data-initials)]',
        colourOf(name),
      )}
      // Not a text: it would be found, selected and copied before the name.
      data-initials={initialsOf(name)}
    />
  )
}
