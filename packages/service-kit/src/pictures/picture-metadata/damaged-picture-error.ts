/** The picture's structure is invalid, so that its metadata cannot be identified. */
export class DamagedPictureError extends Error {
  constructor() {
    super('The picture is damaged.')
    this.name = 'DamagedPictureError'
  }
}
