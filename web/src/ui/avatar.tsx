import { classNames } from './class-names.ts'
import { NamePicture } from './name-picture.tsx'

const SIZES = {
  small: 'size-8 text-sm',
  medium: 'size-11 text-base',
  large: 'size-24 text-3xl',
  huge: 'size-32 text-4xl',
} as const

/** A user's picture, or the first letter of the name. Decorative, see {@link NamePicture}. */
export function Avatar(props: {
  name: string
  url: string | null | undefined
  size?: keyof typeof SIZES
  className?: string
}) {
  const { name, url, size = 'medium', className } = props
  return (
    <NamePicture
      name={name}
      letters={[...name][0] ?? '?'}
      url={url}
      className={classNames('rounded-full', SIZES[size], className)}
      pictureClassName="bg-raised object-cover"
    />
  )
}
