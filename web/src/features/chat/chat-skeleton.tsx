import { Skeleton } from '../../ui/skeleton.tsx'

const WIDTHS = ['w-3/4', 'w-1/2', 'w-5/6', 'w-2/3', 'w-2/5', 'w-3/5']

/** The placeholder of loading messages. */
export function ChatLinesSkeleton() {
  return (
    <div className="grid gap-4 px-4 py-1">
      {WIDTHS.map((width) => (
        <div key={width} className="grid gap-1.5">
          <Skeleton className="h-3.5 w-20" />
          <Skeleton className={`h-4 ${width}`} />
        </div>
      ))}
    </div>
  )
}

/** The placeholder of the chat panel while its code loads. */
export function ChatSkeleton() {
  return (
    <section aria-label="Chat" aria-busy="true" className="flex h-full min-h-0 flex-col bg-panel">
      <header className="flex h-14 shrink-0 items-center border-b border-line px-4">
        <h2 className="font-semibold">Live Chat</h2>
      </header>
      <div className="min-h-0 flex-1 overflow-hidden py-3">
        <ChatLinesSkeleton />
      </div>
      <div className="shrink-0 border-t border-line p-3">
        <Skeleton className="h-11" />
      </div>
    </section>
  )
}
