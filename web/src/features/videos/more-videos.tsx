import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import type { useVideoList } from './api.ts'

/** Distance from the visible part at which the next page is requested. */
const AHEAD = '800px'

/** Loads the next page when the end of the list is near the visible part, or when the button is pressed. */
export function MoreVideos({ list }: { list: ReturnType<typeof useVideoList> }) {
  const place = useRef<HTMLDivElement>(null)
  const { hasMore, isLoadingMore, error } = list
  const loadMore = useEffectEvent(list.loadMore)
  const isWaiting = hasMore && !isLoadingMore && !error

  // Observed again for each page: after a short page the sentinel does not move and would not fire.
  useEffect(() => {
    if (!place.current || !isWaiting) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) loadMore()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isWaiting])

  if (error) return <ErrorNotice text="Failed to load more videos" onRetry={list.reload} />
  return (
    <div ref={place} className="grid justify-items-center">
      {hasMore && (
        <Button onClick={list.loadMore} aria-disabled={isLoadingMore}>
          {isLoadingMore ? 'Loading...' : 'Load more'}
        </Button>
      )}
    </div>
  )
}
