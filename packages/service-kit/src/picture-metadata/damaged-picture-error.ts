/** The structure of a picture contradicts itself: what is metadata in it cannot be told. */
export class DamagedPictureError extends Error {
  constructor() {
    super('The picture is damaged.')
    this.name = 'DamagedPictureError'
  }
}
