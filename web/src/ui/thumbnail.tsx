import { startTransition, useState } from 'react'
import { classNames } from './class-names.ts'
import { PlaceholderPicture } from './placeholder-picture.tsx'

/** A 16:9 picture that holds its place; a placeholder stands in for one that is missing or does not load. */
export function Thumbnail(props: { url: string | null; className?: string; isEager?: boolean }) {
  const { url, className, isEager = false } = props
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  return (
    <span className={classNames('relative block aspect-video overflow-hidden bg-raised', className)}>
      {url && url !== failedUrl ? (
        <img
          src={url}
          alt=""
          loading={isEager ? 'eager' : 'lazy'}
          decoding="async"
          width={320}
          height={180}
          className="size-full object-cover"
          // Where YouTube is out of reach dozens fail at once: put up together, when there is time.
          onError={() => startTransition(() => setFailedUrl(url))}
        />
      ) : (
        <PlaceholderPicture />
      )}
    </span>
  )
}
