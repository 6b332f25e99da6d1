import { Skeleton } from '../../ui/skeleton.tsx'
import { lazyPart } from '../admin/lazy-part.ts'
import { LoadedPart } from '../admin/loaded-part.tsx'
import type { PlotProps } from './plot.tsx'

const Plot = lazyPart(async () => (await import('./plot.tsx')).Plot)

/** A chart, whose library is fetched when the first one is shown. */
export function Chart(props: PlotProps) {
  return (
    <LoadedPart loading={<ChartSkeleton />} failed="The chart could not be loaded.">
      <Plot {...props} />
    </LoadedPart>
  )
}

/** About as high as a chart with its legend, so that what is below it does not move. */
export function ChartSkeleton() {
  return (
    <div role="status" aria-label="Loading chart">
      <Skeleton className="h-62" />
    </div>
  )
}
