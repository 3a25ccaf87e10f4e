export { backup } from './backup.ts'
export { BackupError } from './backup-file.ts'
export { restore } from './restore.ts'
