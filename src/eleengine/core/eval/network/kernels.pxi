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
    #define NETWORK_BUCKETS 8        /* sets of layers, by the number of pieces */
    #define NETWORK_STEP    64       /* the number of hidden neurons is a multiple of it */
    #define MAX_HIDDEN      1024
    #define ACTIVE          255      /* an activation of 1 */
    #define INPUT_SHIFT     2        /* bits by which accumulators are finer than activations */
    #define FIRST_LAYER     8        /* outputs: the first is the network's own, the others go on */
    #define SECOND_LAYER    32
    #define SQUARE_SHIFT    5
    #define SQUARE_ONE      (ACTIVE * ACTIVE >> SQUARE_SHIFT)    /* 2032: 1 between the layers */
    #define SQUARED_SHIFT   11       /* for squares of such numbers, of which SQUARE_ONE^2 >> 11 make 1 */
    #define LAYER_SHIFT     8        /* 256: a weight of 1 */
    #define MAX_WEIGHT      475      /* of layers: sums of 2 x MAX_HIDDEN fit 32 bits */

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

    /* Activations: values cut to 0 .. ACTIVE and squared, in units of which SQUARE_ONE make 1. */
    static void square(int16_t *into, const int16_t *values, int n) {
        for (int i = 0; i < n; i++) {
            int16_t v = values[i];
            v = v < 0 ? 0 : v;
            v = v > ACTIVE << INPUT_SHIFT ? ACTIVE << INPUT_SHIFT : v;
            v = (int16_t)((v + (1 << INPUT_SHIFT >> 1)) >> INPUT_SHIFT);
            into[i] = (int16_t)((uint16_t)(v * v) >> SQUARE_SHIFT);
        }
    }

    /* Products of the activations with the rows of the first layer. Four rows in a loop share what they load, and
       compilers find their instruction for sums of products. */
    static void first_layer(int32_t *sums, const int16_t *active, const int16_t *weights, int n) {
        for (int row = 0; row < FIRST_LAYER; row += 4, weights += 4 * n) {
            int32_t a = 0, b = 0, c = 0, d = 0;
            for (int i = 0; i < n; i++) {
                a += (int32_t)active[i] * weights[i];
                b += (int32_t)active[i] * weights[i + n];
                c += (int32_t)active[i] * weights[i + 2 * n];
                d += (int32_t)active[i] * weights[i + 3 * n];
            }
            sums[row] += a;
            sums[row + 1] += b;
            sums[row + 2] += c;
            sums[row + 3] += d;
        }
    }

    /* What the second layer adds to the output for sums of the first one: these count cut, and cut and squared. */
    static int32_t second_layer(const int32_t *sums, const int16_t *weights, const int32_t *bias,
                                const int16_t *output_weights) {
        int32_t second[SECOND_LAYER], total = 0;
        for (int k = 0; k < SECOND_LAYER; k++) second[k] = bias[k];
        for (int i = 0; i < 2 * FIRST_LAYER; i++) {
            int32_t v = sums[i % FIRST_LAYER] >> LAYER_SHIFT;
            v = v > SQUARE_ONE ? SQUARE_ONE : v < -SQUARE_ONE ? -SQUARE_ONE : v;
            v = i < FIRST_LAYER ? (v < 0 ? 0 : v) : v * v >> SQUARED_SHIFT;
            for (int k = 0; k < SECOND_LAYER; k++) second[k] += v * weights[i * SECOND_LAYER + k];
        }
        for (int k = 0; k < SECOND_LAYER; k++) {
            int32_t v = second[k] >> LAYER_SHIFT;
            v = v > SQUARE_ONE ? SQUARE_ONE : v < 0 ? 0 : v;
            total += v * output_weights[k];
        }
        return total;
    }
    """
    const int PIECE_ROWS, NETWORK_ROWS, NETWORK_BUCKETS, NETWORK_STEP, MAX_HIDDEN, ACTIVE, INPUT_SHIFT
    const int FIRST_LAYER, SECOND_LAYER, SQUARE_ONE, SQUARED_SHIFT, LAYER_SHIFT, MAX_WEIGHT
    ctypedef struct Accumulator:
        int16_t* values
        uint8_t* board
        SquareBits hanging
    int first_byte(uint64_t word) noexcept nogil
    uint64_t without_byte(uint64_t word, int i) noexcept nogil
    void sum_rows(int16_t* into, const int16_t* origin, const int16_t* rows, int n, const int16_t* added, int n_added,
                  const int16_t* removed, int n_removed) noexcept nogil
    void square(int16_t* into, const int16_t* values, int n) noexcept nogil
    void first_layer(int32_t* sums, const int16_t* active, const int16_t* weights, int n) noexcept nogil
    int32_t second_layer(const int32_t* sums, const int16_t* weights, const int32_t* bias,
                         const int16_t* output_weights) noexcept nogil
