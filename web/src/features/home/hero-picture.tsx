import type { Video } from '@looptide/contracts/http/videos'
import { type SyntheticEvent, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { PlaceholderPicture } from '../../ui/placeholder-picture.tsx'

/** Maximum width of the placeholder that YouTube returns for a missing size, in px. */
const NO_PICTURE_PX = 120

/**
 * The largest picture of a video, filling its container: YouTube's largest size if it exists, else the thumbnail,
 * else the placeholder. Small screens use the thumbnail.
 */
export function HeroPicture(props: { video: Video; isShown: boolean; isFirst: boolean }) {
  const { video, isShown, isFirst } = props
  const urls = pictureUrls(video.thumbnailUrl)
  const [failed, setFailed] = useState<readonly string[]>([])
  const url = urls.find((candidate) => !failed.includes(candidate))
  const drop = () => url && setFailed([...failed, url])
  return (
    <div
      aria-hidden="true"
      className={classNames(
        'absolute inset-0 transition-opacity duration-600',
        isShown ? 'opacity-100' : 'opacity-0',
      )}
    >
      {url ? (
        <img
          key={url}
          src={url}
          alt=""
          decoding="async"
          fetchPriority={isFirst ? 'high' : 'low'}
          className="size-full object-cover object-[50%_30%]"
          onError={drop}
          onLoad={(event: SyntheticEvent<HTMLImageElement>) => {
            if (event.currentTarget.naturalWidth <= NO_PICTURE_PX) drop()
          }}
        />
      ) : (
        <PlaceholderPicture />
      )}
    </div>
  )
}

function pictureUrls(thumbnailUrl: string | null): string[] {
  if (!thumbnailUrl) return []
  const largest = thumbnailUrl.replace(/\/hqdefault\.jpg$/, '/maxresdefault.jpg')
  const isSmallScreen = window.matchMedia('(max-width: 40rem)').matches
  return isSmallScreen || largest === thumbnailUrl ? [thumbnailUrl] : [largest, thumbnailUrl]
}
