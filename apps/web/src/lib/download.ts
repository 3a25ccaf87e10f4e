import { CSV_MARK } from '@tallyroom/domain/csv'

/** Downloads a text as a file. */
export function download(fileName: string, text: string, type = 'text/csv;charset=utf-8') {
  const mark = type.startsWith('text/csv') ? CSV_MARK : ''
  saveBlob(fileName, new Blob([mark, text], { type }))
}

/** Downloads a blob as a file. */
export function saveBlob(fileName: string, blob: Blob) {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
