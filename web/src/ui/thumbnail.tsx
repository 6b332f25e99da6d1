import { useState } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

/** A 16:9 picture that holds its place; a placeholder stands in for one that is missing or does not load. */
export function Thumbnail({ url, className }: { url: string | null; className?: string }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  return (
    <div className={classNames('relative aspect-video overflow-hidden bg-raised', className)}>
      {url && url !== failedUrl ? (
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          width={320}
          height={180}
          className="size-full object-cover"
          onError={() => setFailedUrl(url)}
        />
      ) : (
        <div className="grid size-full place-items-center text-muted">
          <Icon name="tv" className="size-8 opacity-60" />
        </div>
      )}
    </div>
  )
}
