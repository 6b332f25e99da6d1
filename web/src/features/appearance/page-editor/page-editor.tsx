import { type KeyboardEvent, useState } from 'react'
import { undoKeys, usePageKeys } from '../../../lib/keys/page-keys.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Choice } from '../../../ui/choice.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useDraftsReady } from '../../admin/drafts/account-drafts.ts'
import { EditorCanvas } from './editor-canvas.tsx'
import { ElementPanel } from './element-panel.tsx'
import { ELEMENT_TYPES, elementName, PAGES, type PageId } from './layout.ts'
import { type EditorTool, type PageEditorState, usePageEditor } from './use-page-editor.ts'

const VIEWS = [
  { id: 'editing', label: 'Editing' },
  { id: 'preview', label: 'Preview' },
] as const
const TOOLS: readonly { id: EditorTool; label: string }[] = [
  { id: 'select', label: 'Select' },
  { id: 'drag', label: 'Drag' },
]

/** Page Editor: layouts of four pages, stored only in this browser (docs/product/admin.md §2 and §3). */
export function PageEditor() {
  return useDraftsReady() ? <Editor /> : <Skeleton className="h-96" />
}

function Editor() {
  const [page, setPage] = useState<PageId>('home')
  const [view, setView] = useState<(typeof VIEWS)[number]['id']>('editing')
  const [tool, setTool] = useState<EditorTool>('select')
  const editor = usePageEditor(page)
  const { state, dispatch } = editor
  const isEditing = view === 'editing'
  const selected = state.elements.find(({ id }) => id === state.selectedId)

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || !isEditing || tool !== 'drag') return
    event.preventDefault()
    setTool('select')
  }
  usePageKeys({
    title: 'Page Editor',
    keys: undoKeys(
      () => dispatch({ kind: 'undo' }),
      () => dispatch({ kind: 'redo' }),
    ),
  })

  return (
    <section aria-labelledby="page-editor" className="grid min-w-0 gap-5" onKeyDown={onKeyDown}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <h2 id="page-editor" className="text-xl font-semibold">
          Page Editor
        </h2>
        <p className="mr-auto text-sm text-muted" role="status">
          {editor.isRestored
            ? 'Unsaved changes restored.'
            : editor.hasChanges
              ? 'Unsaved changes'
              : 'Saved in this browser'}
        </p>
        <HistoryButtons editor={editor} />
      </div>
      <div className="flex flex-wrap items-end gap-x-5 gap-y-3">
        <SelectField label="Page" choices={PAGES} value={page} onChange={setPage} className="w-52" />
        <Choice label="Mode" options={VIEWS} value={view} onChange={setView} />
        {isEditing && <Choice label="Tool" options={TOOLS} value={tool} onChange={setTool} />}
      </div>
      {isEditing && <AddButtons editor={editor} />}
      <div
        className={isEditing ? 'grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_20rem]' : 'grid min-w-0'}
      >
        <div className="grid min-w-0 gap-2">
          <EditorCanvas editor={editor} isEditing={isEditing} tool={tool} />
          {isEditing && (
            <p className="text-sm text-muted">
              {tool === 'drag'
                ? 'Drag elements, or move the focused one with the arrow keys. Hold Shift to resize it. Press Escape to stop.'
                : 'Click an element to select it. Choose Drag to move or resize elements.'}
            </p>
          )}
        </div>
        {isEditing && (
          <div className="grid min-w-0 gap-5">
            <ElementList editor={editor} />
            {selected && (
              <ElementPanel
                key={selected.id}
                title={elementName(selected)}
                element={selected}
                onChange={(change, gesture) => dispatch({ kind: 'change', id: selected.id, change, gesture })}
                onDelete={() => editor.remove(selected)}
              />
            )}
          </div>
        )}
      </div>
    </section>
  )
}

function HistoryButtons({ editor }: { editor: PageEditorState }) {
  const { state, dispatch } = editor
  return (
    <div className="flex flex-wrap gap-2">
      <Button disabled={state.past.length === 0} onClick={() => dispatch({ kind: 'undo' })}>
        Undo
      </Button>
      <Button disabled={state.future.length === 0} onClick={() => dispatch({ kind: 'redo' })}>
        Redo
      </Button>
      <Button disabled={state.elements.length === 0} onClick={editor.reset}>
        Reset Layout
      </Button>
      <Button disabled={!editor.hasChanges} onClick={editor.discard}>
        Discard Changes
      </Button>
      <Button tone="primary" onClick={editor.save}>
        Save Layout
      </Button>
    </div>
  )
}

function AddButtons({ editor }: { editor: PageEditorState }) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Add an element</legend>
      {ELEMENT_TYPES.map((type) => (
        <Button key={type} icon="plus" onClick={() => editor.add(type)}>
          {`Add ${type}`}
        </Button>
      ))}
    </fieldset>
  )
}

/** The elements from front to back; also the only access to hidden or covered ones. */
function ElementList({ editor }: { editor: PageEditorState }) {
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
