import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import type { useVideoList } from './api.ts'

/** How far ahead of the visible part the next page is asked for. */
const AHEAD = '800px'

/** Loads the next page as its place comes near, or at the press of a button. */
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
