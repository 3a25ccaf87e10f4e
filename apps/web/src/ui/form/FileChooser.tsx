import { FileButton, type FileButtonProps } from '@mantine/core'
import { useRef } from 'react'

interface FileChooserProps extends Pick<FileButtonProps, 'accept' | 'children'> {
  onChoose: (file: File) => void
}

/** A button that chooses a file. Choosing the same one again counts as well: it may have been corrected meanwhile. */
export function FileChooser({ onChoose, ...button }: FileChooserProps) {
  const reset = useRef<() => void>(null)
  return (
    <FileButton
      {...button}
      resetRef={reset}
      onChange={(file) => {
        reset.current?.()
        if (file) onChoose(file)
      }}
    />
  )
}
