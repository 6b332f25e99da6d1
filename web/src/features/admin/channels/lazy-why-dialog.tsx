import { Suspense } from 'react'
import { lazyPart } from '../shared/lazy-part.ts'

const WhyDialog = lazyPart(async () => (await import('./why-dialog.tsx')).WhyDialog)

/** Loads and shows the "Why is this on?" dialog of a programme; renders nothing for null. */
export function LazyWhyDialog(props: { channelId: string; programmeId: string | null; onClose: () => void }) {
  const { programmeId } = props
  if (programmeId === null) return null
  return (
    <Suspense fallback={null}>
      <WhyDialog channelId={props.channelId} programmeId={programmeId} onClose={props.onClose} />
    </Suspense>
  )
}
