import { useEffect, useRef, useState } from 'react'
import { useBrand } from '../../../lib/api/use-config.ts'
import { loader } from '../../../lib/browser/loader.ts'
import { saveFile } from '../../../lib/browser/save-file.ts'
import { failureText } from '../../../lib/failures.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'

const loadCollector = loader(() => import('./collect-data.ts'))

/** Downloads everything that the station stores about the user, with progress and a way to stop. */
export function ExportSection() {
  const { shortName } = useBrand()
  const [progress, setProgress] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const download = async () => {
    if (running.current) return
    const controller = new AbortController()
    running.current = controller
    setProgress('Preparing...')
    try {
      const { collectData } = await loadCollector()
      saveFile(await collectData(controller.signal, setProgress), `${shortName} data.json`)
      toast({ title: 'Download Complete', description: 'Your data is in one JSON file.', tone: 'success' })
    } catch (failure) {
      if (!controller.signal.aborted)
        toast({
          title: 'Download Failed',
          description: failureText(failure, 'Please try again.'),
          tone: 'error',
        })
    } finally {
      running.current = undefined
      setProgress(undefined)
    }
  }
  return (
    <>
      <p className="text-sm text-muted">
        Account, devices, playlists, videos you added and chat messages, without passwords and other secrets.
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Button tone="primary" isBusy={progress !== undefined} onClick={() => void download()}>
          Download My Data
        </Button>
        {progress !== undefined && (
          <Button tone="plain" onClick={() => running.current?.abort()}>
            Stop
          </Button>
        )}
        <p role="status" className="text-sm text-muted">
          {progress}
        </p>
      </div>
    </>
  )
}
