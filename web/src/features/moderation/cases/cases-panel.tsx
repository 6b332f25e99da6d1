import { useSearchParams } from 'react-router-dom'
import { Choice } from '../../../ui/choice.tsx'
import { CaseList } from './case-list.tsx'
import { WaitingCases } from './waiting-cases.tsx'

const FILTERS = [
  { id: 'waiting', label: 'Waiting' },
  { id: 'decided', label: 'Decided' },
  { id: 'all', label: 'All' },
] as const

/** Reported messages: the waiting ones, the decided ones or all, as the address says (`reports`). */
export function CasesPanel() {
  const [parameters, setParameters] = useSearchParams()
  const filter = FILTERS.find(({ id }) => id === parameters.get('reports'))?.id ?? 'waiting'
  const show = (reports: (typeof FILTERS)[number]['id']) => {
    const next = new URLSearchParams(parameters)
    if (reports === 'waiting') next.delete('reports')
    else next.set('reports', reports)
    setParameters(next, { replace: true })
  }
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5">
      <Choice label="Reports to show" isLabelHidden options={FILTERS} value={filter} onChange={show} />
      {filter === 'waiting' ? (
        <WaitingCases />
      ) : (
        <CaseList key={filter} state={filter === 'decided' ? 'done' : 'all'} />
      )}
    </div>
  )
}
