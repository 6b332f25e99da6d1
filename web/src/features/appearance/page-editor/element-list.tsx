import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { elementName } from './layout.ts'
import type { PageEditorState } from './use-page-editor.ts'

/** The elements from front to back; also the only access to hidden or covered ones. */
export function ElementList({ editor }: { editor: PageEditorState }) {
  const { state, dispatch } = editor
  const { elements, selectedId } = state
  return (
    <section aria-labelledby="page-elements" className="rounded-lg border border-line/70 bg-panel p-3">
      <h3 id="page-elements" className="px-1 pb-2 font-semibold">
        Elements ({elements.length})
      </h3>
      {elements.length === 0 && <p className="px-1 pb-2 text-sm text-muted">No elements yet.</p>}
      <ul aria-label="Elements, front to back" className="max-h-72 overflow-y-auto overscroll-contain">
        {elements.toReversed().map((element) => {
          const name = elementName(element)
          const isSelected = element.id === selectedId
          const isFront = element.zIndex === elements.length
          const isBack = element.zIndex === 1
          return (
            <li
              key={element.id}
              className={classNames('flex items-center rounded-md', isSelected && 'bg-raised')}
            >
              <button
                type="button"
                aria-pressed={isSelected}
                onClick={() => dispatch({ kind: 'select', id: element.id })}
                className={classNames(
                  'lift min-h-11 min-w-0 flex-1 truncate rounded-md px-2 text-left text-sm',
                  element.visible ? 'text-text' : 'text-muted line-through',
                )}
              >
                {name}
              </button>
              <IconButton
                icon={element.visible ? 'show' : 'hide'}
                label={element.visible ? `Hide ${name}` : `Show ${name}`}
                onClick={() =>
                  dispatch({ kind: 'change', id: element.id, change: { visible: !element.visible } })
                }
              />
              <IconButton
                icon="up"
                label={`Bring ${name} forward`}
                aria-disabled={isFront}
                className="aria-disabled:opacity-40"
                onClick={() => dispatch({ kind: 'restack', id: element.id, by: 1 })}
              />
              <IconButton
                icon="down"
                label={`Send ${name} backward`}
                aria-disabled={isBack}
                className="aria-disabled:opacity-40"
                onClick={() => dispatch({ kind: 'restack', id: element.id, by: -1 })}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
