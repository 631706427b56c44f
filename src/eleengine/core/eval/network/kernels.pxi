# eval/network/kernels.pxi - the arithmetic of the network in use: 16-bit integers, equal on every machine.
#
# Uses: base/platform, base/bits.
# Vectors are as wide as registers: wider ones become slow detours through memory. The loops over lanes are written so
# that compilers make vectors of them. Sums of rows may pass the limits of 16 bits on their way and come back: they are
# unsigned. Those of 32 pieces always come back; where many hang,
# weights near their limits could make a sum wrap.

cdef extern from *:
    """
    #define PIECE_ROWS      692      /* what a piece can be to a perspective: kind, side and square */
    #define NETWORK_ROWS    (2 * PIECE_ROWS)     /* the same once more for a piece that hangs */
    #define NETWORK_BUCKETS 8        /* output weights, by the number of pieces */
    #define NETWORK_STEP    64       /* the number of hidden neurons is a multiple of it */
    #define MAX_HIDDEN      1024
    #define ACTIVE          255      /* an activation of 1 */
    #define MAX_WEIGHT      127      /* of the output: a weight times an activation fits 16 bits */
    #define INPUT_SHIFT     2        /* bits by which accumulators are finer than activations */

    #if defined(__AVX512BW__)
    #define REGISTER_BYTES  64
    #elif defined(__AVX2__)
    #define REGISTER_BYTES  32
    #else
    #define REGISTER_BYTES  16
    #endif
    typedef uint16_t ele_lanes __attribute__((vector_size(REGISTER_BYTES)));

    /* What the hidden neurons of one perspective sum up to for a board. */
    typedef struct {
        int16_t values[MAX_HIDDEN] __attribute__((aligned(64)));
        uint8_t board[96];           /* the pieces that are in the sums */
        ele_set hanging;             /* and those of them that hang */
    } Accumulator;

    /* The lowest byte of a word in memory that is not zero, and the word without it. */
    #if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    #define first_byte(w)        (__builtin_ctzll(w) >> 3)
    #define without_byte(w, i)   ((w) & ~((uint64_t)0xff << 8 * (i)))
    #else
    #define first_byte(w)        (__builtin_clzll(w) >> 3)
    #define without_byte(w, i)   ((w) & ~((uint64_t)0xff << (56 - 8 * (i))))
    #endif

    /* into = from + the rows of added - the rows of removed; n lanes in steps of count registers. */
    #define SUM_ROWS(count) \\
        for (; at + REGISTER_BYTES / 2 * count <= n; at += REGISTER_BYTES / 2 * count) { \\
            ele_lanes sum[count]; \\
            for (int k = 0; k < count; k++) sum[k] = ((const ele_lanes *)(from + at))[k]; \\
            for (int i = 0; i < n_added; i++) { \\
                const ele_lanes *row = (const ele_lanes *)(rows + added[i] * n + at); \\
                for (int k = 0; k < count; k++) sum[k] += row[k]; \\
            } \\
            for (int i = 0; i < n_removed; i++) { \\
                const ele_lanes *row = (const ele_lanes *)(rows + removed[i] * n + at); \\
                for (int k = 0; k < count; k++) sum[k] -= row[k]; \\
            } \\
            for (int k = 0; k < count; k++) ((ele_lanes *)(into + at))[k] = sum[k]; \\
        }
    static void sum_rows(int16_t *into, const int16_t *from, const int16_t *rows, int n, const int16_t *added,
                         int n_added, const int16_t *removed, int n_removed) {
        int at = 0;
        SUM_ROWS(8)
        SUM_ROWS(2)
    }

    /* The sum over lanes of weight * activation squared; activations are values cut to 0 .. ACTIVE. A weight times an
       activation fits 16 bits, and a block's sum of such products times activations fits 32. The two loops over a
       block are apart so that compilers find their instruction for sums of products. */
    static int64_t activate(const int16_t *values, const int16_t *weights, int n) {
        int64_t total = 0;
        for (int at = 0; at < n; at += NETWORK_STEP) {
            int16_t active[NETWORK_STEP], product[NETWORK_STEP];
            int32_t sum = 0;
            for (int i = 0; i < NETWORK_STEP; i++) {
                int16_t v = values[at + i];
                v = v < 0 ? 0 : v;
                v = v > ACTIVE << INPUT_SHIFT ? ACTIVE << INPUT_SHIFT : v;
                active[i] = v = (int16_t)((v + (1 << INPUT_SHIFT >> 1)) >> INPUT_SHIFT);
                product[i] = (int16_t)(v * weights[at + i]);
            }
            for (int i = 0; i < NETWORK_STEP; i++) sum += (int32_t)product[i] * active[i];
            total += sum;
        }
        return total;
    }
    """
    const int PIECE_ROWS, NETWORK_ROWS, NETWORK_BUCKETS, NETWORK_STEP, MAX_HIDDEN, ACTIVE, MAX_WEIGHT, INPUT_SHIFT
    ctypedef struct Accumulator:
        int16_t* values
        uint8_t* board
        SquareBits hanging
    int first_byte(uint64_t word) noexcept nogil
    uint64_t without_byte(uint64_t word, int i) noexcept nogil
    void sum_rows(int16_t* into, const int16_t* origin, const int16_t* rows, int n, const int16_t* added, int n_added,
                  const int16_t* removed, int n_removed) noexcept nogil
    int64_t activate(const int16_t* values, const int16_t* weights, int n) noexcept nogil
