import { Suspense } from 'react'
import { lazyPart } from '../desk/lazy-part.ts'

const WhyDialog = lazyPart(async () => (await import('./why-dialog.tsx')).WhyDialog)

/** The answer to "Why is this on?" for the programme that was asked about; nothing while none is. */
export function AskedWhy(props: { channelId: string; programmeId: string | null; onClose: () => void }) {
  const { programmeId } = props
  if (programmeId === null) return null
  return (
    <Suspense fallback={null}>
      <WhyDialog channelId={props.channelId} programmeId={programmeId} onClose={props.onClose} />
    </Suspense>
  )
}
