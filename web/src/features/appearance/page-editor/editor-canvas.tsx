import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { randomId } from '../../../lib/browser/random-id.ts'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyNotice } from '../../../ui/notice.tsx'
import { ElementView } from './element-view.tsx'
import { type ElementChange, elementName, PAGE_HEIGHT, PAGE_WIDTH, type PageElement } from './layout.ts'
import type { EditorTool, PageEditorState } from './use-page-editor.ts'

/** Smallest scale; at a smaller one elements would be too small for touch, so the canvas scrolls instead. */
const MIN_SCALE = 0.5

interface CanvasProps {
  editor: PageEditorState
  isEditing: boolean
  tool: EditorTool
}

/** The page, scaled to the available width. While editing, elements can be selected, moved and resized. */
export function EditorCanvas({ editor, isEditing, tool }: CanvasProps) {
  const { elements, selectedId } = editor.state
  const { ref, scale } = useScale()
  return (
    <section
      ref={ref}
      aria-label="Canvas"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard (WCAG 2.1.1).
      tabIndex={0}
      className="dark-surface overflow-auto rounded-lg border border-line bg-canvas"
    >
      <div className="relative" style={{ width: PAGE_WIDTH * scale, height: PAGE_HEIGHT * scale }}>
        <ul
          aria-label={isEditing ? 'Page' : 'Page preview'}
          className="absolute top-0 left-0 isolate origin-top-left overflow-hidden"
          style={{ width: PAGE_WIDTH, height: PAGE_HEIGHT, transform: `scale(${scale})` }}
        >
          {elements
            .filter(({ visible }) => isEditing || visible)
            .map((element) => (
              <li key={element.id} className="absolute" style={placeOf(element)}>
                {isEditing ? (
                  <ElementBox
                    element={element}
                    isSelected={element.id === selectedId}
                    tool={tool}
                    scale={scale}
                    editor={editor}
                  />
                ) : (
                  <ElementView element={element} />
                )}
              </li>
            ))}
        </ul>
        {elements.length === 0 && (
          <div className="absolute inset-0 grid place-items-center">
            <EmptyNotice title="This page is empty">
              {isEditing
                ? 'Add text, an image, a button or a container.'
                : 'Switch to Editing to add elements.'}
            </EmptyNotice>
          </div>
        )}
      </div>
    </section>
  )
}

const placeOf = ({ x, y, width, height, zIndex }: PageElement) => ({
  left: x,
  top: y,
  width,
  height,
  zIndex,
})

/** Scale at which the page fills the available width. */
function useScale() {
  const ref = useRef<HTMLElement>(null)
  const [scale, setScale] = useState(MIN_SCALE)
  useEffect(() => {
    const frame = ref.current
    if (!frame) return
    const observer = new ResizeObserver(() => setScale(Math.max(MIN_SCALE, frame.clientWidth / PAGE_WIDTH)))
    observer.observe(frame)
    return () => observer.disconnect()
  }, [])
  return { ref, scale }
}

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
function ElementBox({ element, isSelected, tool, scale, editor }: BoxProps) {
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
    if (event.key === 'Delete' || event.key === 'Backspace') {
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

/** Distance of a drag in page px, and the element as it was when the drag started. */
interface ElementDrag {
  start: PageElement
  x: number
  y: number
  gesture: string
}

/** Event handlers that drag an element by mouse, pen or touch. `scale` is the scale at which the page is drawn. */
function useElementDrag(element: PageElement, scale: number, onDrag: (drag: ElementDrag) => void) {
  const active = useRef<{ start: PageElement; x: number; y: number; gesture: string } | null>(null)
  const end = () => {
    active.current = null
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      active.current = { start: element, x: event.clientX, y: event.clientY, gesture: randomId() }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = active.current
      if (!from) return
      const x = Math.round((event.clientX - from.x) / scale)
      const y = Math.round((event.clientY - from.y) / scale)
      onDrag({ start: from.start, x, y, gesture: from.gesture })
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
