import { useEffect, useRef, useState } from 'react'
import { EmptyNotice } from '../../../ui/notice.tsx'
import { ElementBox } from './element-box.tsx'
import { ElementView } from './element-view.tsx'
import { PAGE_HEIGHT, PAGE_WIDTH, type PageElement } from './layout.ts'
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
