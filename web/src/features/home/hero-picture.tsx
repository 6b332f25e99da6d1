import { type SyntheticEvent, useState } from 'react'
import { heroPictureUrls, isPicture } from '../../lib/browser/hero-picture-urls.ts'
import { classNames } from '../../ui/class-names.ts'
import { PlaceholderPicture } from '../../ui/placeholder-picture.tsx'

/** YouTube's thumbnail: 4:3, with black bars above and below a video of 16:9. */
const LETTERBOXED = /\/hqdefault\.jpg$/

/**
 * The largest picture of a video, filling its container: YouTube's largest size if it exists, else the thumbnail without
 * its bars, else the placeholder. Small screens use the thumbnail.
 */
export function HeroPicture(props: { thumbnailUrl: string | null; isFirst: boolean; className?: string }) {
  const { thumbnailUrl, isFirst, className } = props
  const urls = heroPictureUrls(thumbnailUrl)
  const [failed, setFailed] = useState<readonly string[]>([])
  const url = urls.find((candidate) => !failed.includes(candidate))
  const drop = () => url && setFailed([...failed, url])
  return (
    <div aria-hidden="true" className={classNames('overflow-hidden', className)}>
      {url ? (
        <img
          key={url}
          src={url}
          alt=""
          decoding="async"
          fetchPriority={isFirst ? 'high' : 'low'}
          className={
            LETTERBOXED.test(url)
              ? // The bars are an eighth of its height each, so that four thirds of the height leave them outside.
                'absolute inset-x-0 top-1/2 h-[134%] w-full -translate-y-1/2 object-cover'
              : 'size-full object-cover object-[50%_30%]'
          }
          onError={drop}
          onLoad={(event: SyntheticEvent<HTMLImageElement>) => {
            if (!isPicture(event.currentTarget)) drop()
          }}
        />
      ) : (
        <PlaceholderPicture />
      )}
    </div>
  )
}
