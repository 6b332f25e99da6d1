import type { KeyboardEvent } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { elementName } from './element-name.ts'
import { ElementView } from './element-view.tsx'
import type { ElementChange, PageElement } from './layout.ts'
import { useElementDrag } from './use-element-drag.ts'
import type { EditorTool, PageEditorState } from './use-page-editor.ts'

/** Distance by which an arrow key moves or resizes an element, in page px. */
const STEP = 8
const DIRECTIONS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
}

interface BoxProps {
  element: PageElement
  isSelected: boolean
  tool: EditorTool
  scale: number
  editor: PageEditorState
}

/**
 * A selectable element. With the drag tool it can be moved and resized by pointer or arrow keys; without it, arrow keys
 * go from element to element.
 */
export function ElementBox({ element, isSelected, tool, scale, editor }: BoxProps) {
  const { id } = element
  const { dispatch } = editor
  const canDrag = tool === 'drag'
  const apply = (change: ElementChange, gesture: string) => dispatch({ kind: 'change', id, change, gesture })
  const move = useElementDrag(element, scale, ({ start, x, y, gesture }) =>
    apply({ x: start.x + x, y: start.y + y }, gesture),
  )
  const resize = useElementDrag(element, scale, ({ start, x, y, gesture }) =>
    apply({ width: start.width + x, height: start.height + y }, gesture),
  )
  const select = () => isSelected || dispatch({ kind: 'select', id })

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Delete') {
      event.preventDefault()
      editor.remove(element)
      return
    }
    const by = DIRECTIONS[event.key]
    if (!by || !canDrag) return
    event.preventDefault()
    if (event.shiftKey) {
      apply({ width: element.width + by.x, height: element.height + by.y }, `${id} resize by keys`)
    } else apply({ x: element.x + by.x, y: element.y + by.y }, `${id} move by keys`)
  }

  return (
    <>
      <button
        type="button"
        aria-label={elementName(element)}
        aria-pressed={isSelected}
        onClick={select}
        onFocus={canDrag ? select : undefined}
        onKeyDown={onKeyDown}
        className={classNames(
          'block size-full outline-offset-2',
          canDrag ? 'cursor-move touch-none select-none' : 'cursor-pointer',
          !element.visible && 'opacity-35',
          isSelected ? 'outline-3 outline-accent' : 'outline-1 outline-line outline-dashed',
        )}
        {...(canDrag && move)}
      >
        <ElementView element={element} />
      </button>
      {canDrag && isSelected && (
        <span
          aria-hidden="true"
          title="Drag to resize"
          className="absolute -right-3 -bottom-3 size-7 cursor-nwse-resize touch-none rounded-full border-2 border-on-accent bg-accent"
          {...resize}
        />
      )}
    </>
  )
}
