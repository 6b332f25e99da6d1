import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { ErrorNotice } from './notice.tsx'
import { Skeleton } from './skeleton.tsx'

/** A list that is loaded page by page, as `useListPage` returns it. */
interface MorePages {
  hasMore: boolean
  isLoadingMore: boolean
  loadMore: () => void
}

/**
 * A list in one of its states: a placeholder, an error with a retry, an empty notice, or the items with a button for the
 * next page.
 */
export function ListPage<T>(props: {
  list: MorePages & { items: readonly T[] | undefined; error: unknown; reload: () => void }
  /** Accessible name of the placeholder. */
  loading: string
  /** Number of rows of the placeholder, and the class of a row. */
  skeleton: { count: number; className: string }
  failed: string
  empty: ReactNode
  children: (items: readonly T[]) => ReactNode
}) {
  const { list, skeleton } = props
  if (!list.items) {
    if (list.error) return <ErrorNotice text={props.failed} onRetry={list.reload} />
    return (
      <div role="status" aria-label={props.loading} className="grid gap-2">
        {Array.from({ length: skeleton.count }, (_, index) => (
          <Skeleton key={String(index)} className={skeleton.className} />
        ))}
      </div>
    )
  }
  return (
    <>
      {list.items.length === 0 ? props.empty : props.children(list.items)}
      <ShowMore list={list} />
    </>
  )
}

/** The button that loads the next page of a list, if there is one. It keeps the focus while the page is loaded. */
function ShowMore({ list }: { list: MorePages }) {
  if (!list.hasMore) return null
  return (
    <Button
      className="justify-self-center"
      aria-disabled={list.isLoadingMore}
      onClick={() => list.isLoadingMore || list.loadMore()}
    >
      Show more
    </Button>
  )
}
