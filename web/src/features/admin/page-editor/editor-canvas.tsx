import { useEffect, useRef, useState } from 'react'
import { EmptyNotice } from '../../../ui/notice.tsx'
import { ElementBox } from './element-box.tsx'
import { ElementView } from './element-view.tsx'
import { PAGE_HEIGHT, PAGE_WIDTH, type PageElement } from './layout.ts'
import type { EditorTool, PageEditorState } from './use-page-editor.ts'

/** Below this size elements could not be hit with a finger: the page scrolls instead. */
const MIN_SCALE = 0.5

type CanvasProps = { editor: PageEditorState; isEditing: boolean; tool: EditorTool }

/** The page in the size there is room for; in editing with everything that can be chosen, moved and resized. */
export function EditorCanvas({ editor, isEditing, tool }: CanvasProps) {
  const { elements, selectedId } = editor.state
  const { ref, scale } = useScale()
  return (
    <section
      ref={ref}
      aria-label="Canvas"
      // It scrolls on a phone, also by keys.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys (WCAG 2.1.1)
      tabIndex={0}
      className="dark-surface overflow-auto rounded-lg border border-line bg-canvas"
    >
      <div className="relative" style={{ width: PAGE_WIDTH * scale, height: PAGE_HEIGHT * scale }}>
        <ul
          aria-label={isEditing ? 'Page' : 'Preview of the page'}
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
            <EmptyNotice title="Nothing on this page yet">
              {isEditing ? 'Add a text, an image, a button or a container.' : 'Add elements in editing.'}
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

/** How large the page is drawn: it fills the width there is. */
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
