import { NamePicture } from './name-picture.tsx'

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

/** A channel's logo, or the initials of its name. Decorative, see {@link NamePicture}. */
export function ChannelLogo(props: {
  name: string
  url: string | null | undefined
  size?: keyof typeof SIZES
}) {
  const { name, url, size = 'medium' } = props
  return (
    <NamePicture
      name={name}
      letters={initialsOf(name)}
      url={url}
      className={SIZES[size]}
      pictureClassName="bg-deep object-contain"
    />
  )
}
