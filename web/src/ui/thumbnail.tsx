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
          key={url}
          src={url}
          alt=""
          loading={isEager ? 'eager' : 'lazy'}
          decoding="async"
          width={320}
          height={180}
          // Unseen until it is there: a browser draws the sign of a broken picture before the placeholder replaces it.
          className="size-full object-cover opacity-0 data-loaded:opacity-100"
          onLoad={({ currentTarget }) => currentTarget.setAttribute('data-loaded', '')}
          // Where YouTube is out of reach dozens fail at once: put up together, when there is time.
          onError={() => startTransition(() => setFailedUrl(url))}
        />
      ) : (
        <PlaceholderPicture />
      )}
    </span>
  )
}
