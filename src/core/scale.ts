/** How often a view is made until it keeps its budget. */
const MOST_ATTEMPTS = 4;
/** A view of so much of its budget is left as it is. */
const NEARLY = 0.985;

/** Looks for the budget that a selection must be given so that its view, whose markers it can only guess, has the size that was asked for. */
export class ScaleSearch {
  /** What the next selection is given, of the budget. */
  scale = 1;
  private attempts = 0;
  private fits = 0;
  private over = Infinity;

  /** Takes the size of a view, of the budget; `isFull`: there was more to show. Says whether another one is worth it. */
  goOn(size: number, isFull: boolean): boolean {
    this.attempts += 1;
    const isDone = size <= 1 && (size >= NEARLY || !isFull);
    if (isDone || this.attempts === MOST_ATTEMPTS) return false;
    if (size > 1) this.over = Math.min(this.over, this.scale);
    else this.fits = Math.max(this.fits, this.scale);
    const next = (this.scale / size) * 0.997;
    this.scale = next > this.fits && next < this.over ? next : (this.fits + this.over) / 2;
    return true;
  }
}
